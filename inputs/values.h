/* Reads one value of a variable from its text, and writes it as text. Private to inputs/. */
#ifndef KOL_VALUES_H
#define KOL_VALUES_H

#include "table.h"

enum { VALUE_TEXT = 2 * INPUT_TEXT + 4, REASON_TEXT = 400 };

struct reason {
    char text[REASON_TEXT]; /* what is wrong; remedy */
};

/* value_read: stores one element of v. Returns 1, or 0 with the reason; in that case nothing is stored.
 *
 *   text     ends with a zero
 *   length   length of the text that the user wrote. If the text was cut, length is at least INPUT_TEXT.
 *   quoted   whether the text stood in quotes */
int value_read(const struct variable *v, int element, const char *text, size_t length, int quoted,
               void *values, struct reason *why);
/* value_preset: stores the default in every element, or zero if there is none. */
void value_preset(const struct variable *v, void *values);
/* value_write: writes one element as in a namelist. A number gets as few digits as are needed to read back
 * the same bits. If the element of an array is not given, the text is empty. */
struct value_text {
    char text[VALUE_TEXT];
};
struct value_text value_write(const struct variable *v, int element, const void *values);
/* value_count: returns how many elements of v are worth writing. A short array is written in full. A long one
 * is written up to the last element that differs from the default, but at least one element is written. If
 * the default means "not given" and no element differs, the number is 0. */
int value_count(const struct variable *v, const void *values);
/* value_allowed: writes the allowed values, for messages and help: "2 <= n <= 65536", "'single',
 * 'double'" or "". */
struct value_text value_allowed(const struct variable *v);

#endif
