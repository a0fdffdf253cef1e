/* The rules on formulas. Private to inputs/. */
#ifndef KOL_CHECK_FORMULAS_H
#define KOL_CHECK_FORMULAS_H

#include "reading.h"

/* check_formulas: compiles the formulas that have an effect, and adds a fault with the column for each that
 * cannot be compiled. */
void check_formulas(struct reading *r, const struct input *in);

#endif
