/* Rules across the inputs. */
#ifndef KOL_CHECK_H
#define KOL_CHECK_H

#include <stddef.h>
#include "input.h"

struct reading;

/* What rounding leaves of max|div u| h/U, in units of epsilon h / (smallest width): no tolerance is below it.
 */
enum { DIVERGENCE_ROUNDING = 20 };

/* input_unused: the variable (its offset in struct input) that makes the one at this offset idle with these
 * values; 0: it has an effect. remedy: what that variable would have to be. run.title, at offset 0, idles
 * nothing. */
size_t input_unused(const struct input *in, size_t offset, const char **remedy);

/* check_rules: run every rule and add the faults to r; sets fluid.nu from fluid.reynolds, and
 * initial.amplitude to 1 where it is not given and no inflow gives it. */
void check_rules(struct reading *r, struct input *in, int nranks);

#endif
