/* Rules across the inputs. */
#ifndef KOL_CHECK_H
#define KOL_CHECK_H

#include <stddef.h>
#include "input.h"

struct reading;

/* grid_blocks: into how many fixed blocks a direction of n cells is cut at most. Sums are staged over these,
 * blocks never straddle ranks, so this is also the largest number of ranks in the direction. direction: 0, 1,
 * 2 = x, y, z. */
int grid_blocks(int direction, int n);

/* What rounding leaves of max|div u| h/U, in units of epsilon h / (smallest width): no tolerance is below it.
 */
enum { DIVERGENCE_ROUNDING = 20 };

/* grid_layout: ranks in each direction that the inputs ask for, 0: any; where z is open, and so many ranks
 * allow it, implicit diffusion in z keeps all of it on a rank. */
struct layout {
    int ranks[3];
};
struct layout grid_layout(const struct input *in, int nranks);
/* grid_ranks_fit: whether nranks can be written as px*py*pz with each factor the one asked for (0: any) and
 * at most grid_blocks. */
int grid_ranks_fit(const int n[3], const int ranks[3], int nranks);

/* input_unused: the variable (its offset in struct input) that makes the one at this offset idle with these
 * values; 0: it has an effect. remedy: what that variable would have to be. run.title, at offset 0, idles
 * nothing. */
size_t input_unused(const struct input *in, size_t offset, const char **remedy);

/* spectra_wanted: whether spectra are taken: asked for or by default, and all directions are periodic and
 * uniform. */
int spectra_wanted(const struct input *in);
/* heights_wanted: whether spectra are taken at heights between walls. */
int heights_wanted(const struct input *in);

/* check_rules: run every rule and add the faults to r; sets fluid.nu from fluid.reynolds, and
 * initial.amplitude to 1 where it is not given and no inflow gives it. */
void check_rules(struct reading *r, struct input *in, int nranks);

/* inflow_stream: the direction of a stream that inflows bring along walls without slip; -1 where none does,
 * or inflows of several directions. */
int inflow_stream(const struct input *in);

#endif
