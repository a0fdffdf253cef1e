/* Sums and maxima over the whole grid, with the same bits on any number of ranks. Kernels leave one partial
 * sum for each fixed block of the global grid. Here these are collected and added in the order of the global
 * blocks, x first, then y, then z. docs/numerics/sums.md. */
#ifndef KOL_PARALLEL_REDUCTION_H
#define KOL_PARALLEL_REDUCTION_H

#include "kernels/base/mem.h"
#include "kernels/sums.h"
#include "decomp.h"
#include "memory.h"

struct reduction;
/* reduction_create: makes the buffers for sums and maxima of KOL_PARTS quantities. c and d are borrowed. */
kol_status reduction_create(struct memory *memory, const struct comm *c, const struct decomp *d, struct box b,
                            struct reduction **out);
void reduction_destroy(struct reduction **r);
/* reduction_blocks: returns the blocks that kernels which form sums get as their argument. */
struct blocks reduction_blocks(const struct reduction *r);
/* reduction_blocks_from: returns the same for a second kernel, when one message is to take the values of
 * both. The first kernel has left `before` values; value n of the second one becomes number before + n. At
 * most KOL_PARTS values in all. */
struct blocks reduction_blocks_from(const struct reduction *r, int before);
/* reduction_use_team: from now on the GPUs add up over ranks by themselves, in each other's memory, without
 * the hosts. Collective. */
kol_status reduction_use_team(struct memory *memory, struct reduction *r);
/* reduction_ahead: returns how many steps of an iteration the host may launch before it knows the result of
 * the first of them; 0 if sums pass through the host. */
int reduction_ahead(const struct reduction *r);
/* reduction_finish: combines the results of the last summing kernel over the grid. out gets first `sums`
 * sums, then `maxima` maxima, the same on all ranks. Collective: one message, but none on one rank. */
kol_status reduction_finish(struct reduction *r, int sums, int maxima, double *out);
/* reduction_start and reduction_collect: do the same in two calls, with the same numbers. Kernels that form
 * no sums may be launched between them; a GPU works on these while the host waits for the results. Both are
 * collective. */
kol_status reduction_start(struct reduction *r, int sums, int maxima);
kol_status reduction_collect(struct reduction *r, int sums, int maxima, double *out);
/* reduction_advance: combines the results in the same way, and updates the scalars of conjugate gradients
 * with them. `step` says which update it is. The host does not wait unless the sums pass through it.
 * Collective. */
kol_status reduction_advance(struct reduction *r, int sums, int maxima, enum cg_step step,
                             struct cg_scalars cg);
/* reduction_least: replaces *value by the smallest value of all ranks. Collective. */
kol_status reduction_least(const struct reduction *r, int *value);

#endif
