/* Divides a namelist, or one --set, into names, values and blanks. Private to inputs/. */
#ifndef KOL_SCANNER_H
#define KOL_SCANNER_H

#include "faults.h"
#include "input.h"

enum { SCAN_END = -1 };

/* scanner: the text and a cursor in it. It is plain data, so that a copy can look ahead. If set is above 0,
 * the text is that of a --set. There words end only at blanks and commas, and there are no comments. */
struct scanner {
    const char *text;
    size_t length, at;
    size_t line_at; /* where this line begins */
    int line, column;
    int set;
};

/* token: a value with its repeat count, or a name. */
struct token {
    struct place place;
    char text[INPUT_TEXT]; /* cut where longer */
    size_t length;         /* of all */
    int quoted;
    long repeat;       /* r of r*value; saturates */
    const char *wrong; /* a text that is not well formed: why; NULL where it is */
};

struct scanner scan_open(const char *text, size_t length, int set);
int scan_peek(const struct scanner *s);
int scan_next(struct scanner *s);
struct place scan_place(const struct scanner *s);
/* scan_blank: skips blanks, ends of lines and comments. scan_spaces: skips blanks within the line. */
void scan_blank(struct scanner *s);
void scan_spaces(struct scanner *s);
void scan_line(struct scanner *s);
/* scan_first: returns whether only blanks stand before the cursor in its line. */
int scan_first(const struct scanner *s);
/* scan_name: reads letters, digits and underscores. If there are none, the length is 0. */
void scan_name(struct scanner *s, struct token *t);
/* scan_value: reads [r*]value. The value is a word or a text in quotes. If there is a repeat count, the value
 * may be missing. */
void scan_value(struct scanner *s, struct token *t);
/* scan_is_quote, scan_is_name: return whether a quote, or a name, stands at the cursor. A name is followed by
 * "=", "(" or "%". */
int scan_is_quote(const struct scanner *s);
int scan_is_name(const struct scanner *s);
/* scan_separated: returns whether a value may end at the cursor. */
int scan_separated(const struct scanner *s);

#endif
