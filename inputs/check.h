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

/* check_rules: runs every rule and adds the faults to r.
 * It also resolves two values of *in: fluid.nu follows from fluid.reynolds, and initial.amplitude is 1 if
 * it is not given and no inflow gives it. nranks is the number of ranks, or 0 if it is not known; then
 * the layout is not checked. */
void check_rules(struct reading *r, struct input *in, int nranks);

#endif
