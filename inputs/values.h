/* Reads one value of a variable from its text, and writes it as text. Private to inputs/. */
#ifndef KOL_VALUES_H
#define KOL_VALUES_H

#include "table.h"

enum { VALUE_TEXT = 2 * INPUT_TEXT + 4, REASON_TEXT = 400 };

struct reason {
    char text[REASON_TEXT]; /* what is wrong; remedy */
};

/* value_read: stores one element of v.
 * text ends with a zero. length is that of what the user wrote; if the text was cut, it is at least
 * INPUT_TEXT. quoted: the text stood in quotes. Returns 1, or 0 with the reason; then nothing is stored. */
int value_read(const struct variable *v, int element, const char *text, size_t length, int quoted,
               void *values, struct reason *why);
/* value_preset: stores the default in every element, or zero if there is none. */
void value_preset(const struct variable *v, void *values);
/* value_write: writes one element as in a namelist. Numbers have as few digits as read back to the same
 * bits. If the element of an array is not given, the text is empty. */
struct value_text {
    char text[VALUE_TEXT];
};
struct value_text value_write(const struct variable *v, int element, const void *values);
/* value_count: the number of elements of v that are worth writing. Short arrays are written in full, long
 * ones up to the last element that differs from the default, but at least one. If the default means "not
 * given" and no element differs, it is 0. */
int value_count(const struct variable *v, const void *values);
/* value_allowed: writes the allowed values, for messages and help: "2 <= n <= 65536", "'single',
 * 'double'" or "". */
struct value_text value_allowed(const struct variable *v);

#endif
