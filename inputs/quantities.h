/* The words that select quantities for slices and boxes. */
#ifndef KOL_QUANTITIES_H
#define KOL_QUANTITIES_H

#include <stddef.h>
#include "input.h"

enum quantity {
    QUANTITY_VELOCITY,
    QUANTITY_PRESSURE,
    QUANTITY_VORTICITY,
    QUANTITY_Q,
    QUANTITY_LAMBDA2,
    QUANTITY_SCALAR, /* the first scalar of &scalars */
    QUANTITIES = QUANTITY_SCALAR + SCALARS_MOST
};

/* quantities_read: reads the words in text, which are separated by blanks or commas. The name of a scalar is
 * a word, too. Returns a bit 1 <<
 * quantity for each word. If a word is unknown or comes twice, it returns 0, and *word and *length say which
 * word this is. If there is no word at all, it returns 0 with *length = 0. */
unsigned quantities_read(const struct input *in, const char *text, const char **word, size_t *length);
/* quantity_name: returns the word for a quantity; "" if it is a scalar that is not there. */
const char *quantity_name(const struct input *in, enum quantity q);
/* quantity_components: returns how many values each cell has of a quantity, 1 or 3. */
int quantity_components(enum quantity q);

#endif
