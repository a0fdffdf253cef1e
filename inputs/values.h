/* One value of a variable: from its text, to its text. Private to inputs/. */
#ifndef KOL_VALUES_H
#define KOL_VALUES_H

#include "table.h"

enum { VALUE_TEXT = 2 * INPUT_TEXT + 4, REASON_TEXT = 400 };

struct reason {
    char text[REASON_TEXT]; /* what is wrong; remedy */
};

/* value_read: store one element of v. text: ended by zero; length: of what the user wrote, at least
 * INPUT_TEXT where text was cut; quoted: stood in quotes. Returns 1, or 0 with the reason, and then nothing
 * is stored. */
int value_read(const struct variable *v, int element, const char *text, size_t length, int quoted,
               void *values, struct reason *why);
/* value_preset: store the default in every element; zero where there is none. */
void value_preset(const struct variable *v, void *values);
/* value_write: one element as a namelist has it; numbers in the fewest digits that read back to the same
 * bits; nothing for an element of an array that is not given. */
struct value_text {
    char text[VALUE_TEXT];
};
struct value_text value_write(const struct variable *v, int element, const void *values);
/* value_count: elements of v that are to be written: all of a short array; of a long one those up to the last
 * that differs from the default, at least one; 0 where the default means "not given" and none differs. */
int value_count(const struct variable *v, const void *values);
/* value_allowed: "2 <= n <= 65536", "'single', 'double'", ""; for messages and help. */
struct value_text value_allowed(const struct variable *v);

#endif
