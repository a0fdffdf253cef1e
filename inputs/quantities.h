/* Words for what slices and boxes hold. */
#ifndef KOL_QUANTITIES_H
#define KOL_QUANTITIES_H

#include <stddef.h>

enum quantity {
    QUANTITY_VELOCITY,
    QUANTITY_PRESSURE,
    QUANTITY_VORTICITY,
    QUANTITY_Q,
    QUANTITY_LAMBDA2,
    QUANTITIES
};

/* quantities_read: bits 1 << quantity of the words in text, which blanks or commas separate; 0 with the first
 * word that is unknown or comes twice, and its length (0: there is no word at all). */
unsigned quantities_read(const char *text, const char **word, size_t *length);
/* quantity_name: the word. */
const char *quantity_name(enum quantity q);
/* quantity_components: values of a cell. */
int quantity_components(enum quantity q);

#endif
