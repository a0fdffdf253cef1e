/* The characters of a namelist, or of one --set, and the pieces they form. Private to inputs/. */
#ifndef KOL_SCANNER_H
#define KOL_SCANNER_H

#include "faults.h"
#include "input.h"

enum { SCAN_END = -1 };

/* scanner: plain, so that a copy of it looks ahead. set > 0: in a --set blanks and commas alone end a word,
 * and there are no comments. */
struct scanner {
    const char *text;
    size_t length, at;
    size_t line_at; /* where this line begins */
    int line, column;
    int set;
};

/* token: one value with its repeat count, or a name. */
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
/* scan_blank: skip blanks, ends of lines, comments. scan_spaces: blanks within the line. */
void scan_blank(struct scanner *s);
void scan_spaces(struct scanner *s);
void scan_line(struct scanner *s);
/* scan_first: nothing but blanks stands before the cursor in its line. */
int scan_first(const struct scanner *s);
/* scan_name: letters, digits, underscores; length 0 where there are none. */
void scan_name(struct scanner *s, struct token *t);
/* scan_value: [r*]value, where the value is a word, a quoted text or, with a count, missing. */
void scan_value(struct scanner *s, struct token *t);
/* scan_is_quote, scan_is_name: what stands at the cursor; a name here is one that "=", "(" or "%" follows. */
int scan_is_quote(const struct scanner *s);
int scan_is_name(const struct scanner *s);
/* scan_separated: the cursor stands where a value may end. */
int scan_separated(const struct scanner *s);

#endif
