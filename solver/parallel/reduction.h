/* Sums and maxima over the whole grid, the same bits on any number of ranks: kernels leave one partial sum
 * for each fixed block of the global grid; here they meet and are added in the order of the global blocks, x
 * first, then y, then z. docs/numerics/sums.md. */
#ifndef KOL_PARALLEL_REDUCTION_H
#define KOL_PARALLEL_REDUCTION_H

#include "kernels/base/mem.h"
#include "kernels/sums.h"
#include "decomp.h"
#include "memory.h"

struct reduction;
/* reduction_create: buffers for KOL_PARTS quantities. c and d are borrowed. */
kol_status reduction_create(struct memory *memory, const struct comm *c, const struct decomp *d, struct box b,
                            struct reduction **out);
void reduction_destroy(struct reduction **r);
/* reduction_blocks: what the summing kernels are given. */
struct blocks reduction_blocks(const struct reduction *r);
/* reduction_blocks_from: for a kernel whose values are to lie behind `before` values of another one, so that
 * one message takes both: its value n is number before + n. At most KOL_PARTS in all. */
struct blocks reduction_blocks_from(const struct reduction *r, int before);
/* reduction_use_team: from now on sums over ranks are formed by the GPUs, which reach each other's memory,
 * without the hosts. Collective. reduction_ahead: how many steps of an iteration may be given out before the
 * news of an earlier one: 0 where sums pass through the host. */
kol_status reduction_use_team(struct memory *memory, struct reduction *r);
int reduction_ahead(const struct reduction *r);
/* reduction_finish: combine what the last kernel left: `sums` sums, then `maxima` maxima, into out, the same
 * on all ranks. Collective: one message, none on one rank. */
kol_status reduction_finish(struct reduction *r, int sums, int maxima, double *out);
/* reduction_advance: the same sums go to the scalars of conjugate gradients, and where they need not pass
 * through the host it does not wait for them. Collective. */
kol_status reduction_advance(struct reduction *r, int sums, int maxima, enum cg_step step,
                             struct cg_scalars cg);
/* reduction_least: *value becomes the least of all ranks. Collective. */
kol_status reduction_least(const struct reduction *r, int *value);

#endif
