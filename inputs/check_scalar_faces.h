/* The rules on the conditions of scalars on faces: values, fluxes, formulas, tables and planes. Private to
 * inputs/. */
#ifndef KOL_CHECK_SCALAR_FACES_H
#define KOL_CHECK_SCALAR_FACES_H

#include "input.h"
#include "reading.h"

/* check_scalar_face: checks what is given for scalar n on a face. */
void check_scalar_face(struct reading *r, const struct input *in, int n, int f);

/* check_scalar_balance: if only fluxes are given for scalar n, they must balance its sources. Fluxes by
 * formulas and tables are checked on the grid (solver/scalars/scalar_given.c). */
void check_scalar_balance(struct reading *r, const struct input *in, int n);

#endif
