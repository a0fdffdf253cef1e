/* The rules that concern more than one input. Private to inputs/, except for DIVERGENCE_ROUNDING. */
#ifndef KOL_CHECK_H
#define KOL_CHECK_H

#include <stddef.h>
#include "input.h"

struct reading;

/* DIVERGENCE_ROUNDING: the max|div u| h/U that rounding leaves, in units of epsilon h / (smallest width).
 * A tolerance below it is refused. */
enum { DIVERGENCE_ROUNDING = 20 };

/* input_unused: finds out whether the variable at an offset of struct input has an effect with these
 * values.
 * Returns 0 if it has one. Otherwise it returns the offset of the variable that takes the effect away,
 * and sets *remedy to words that say how that one would have to change. (Offset 0 is run.title, which
 * takes no effect away.) */
size_t input_unused(const struct input *in, size_t offset, const char **remedy);

/* check_given: adds faults for required inputs that are missing, and for given ones that have no effect.
 * check_rules: runs all other rules on the resolved input (resolve.h) and adds their faults to r. nranks is
 * the number of ranks, or 0 if it is not known; then the layout is not checked. */
void check_given(struct reading *r, const struct input *in);
void check_rules(struct reading *r, const struct input *in, int nranks);

#endif
