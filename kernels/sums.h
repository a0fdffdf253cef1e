/* From what a summing kernel left to sums over the grid, and the scalars of conjugate gradients made from
 * them, all in kernel memory. The order of every addition is set by the global grid: pieces of a block, then
 * blocks along x, y, z. Maxima are of magnitudes, from 0; a NaN is dropped there, sums carry it.
 * docs/numerics/sums.md. */
#ifndef KOL_SUMS_H
#define KOL_SUMS_H

#include "base/status.h"
#include "cg.h"

KOL_BEGIN_C

/* sums_pieces: values of blocks.pieces that the kernels of this backend want; widest and the counts of bl are
 * set. */
ptrdiff_t sums_pieces(struct blocks bl);

/* sums_blocks: the `sums` sums and `maxima` maxima that the last summing kernel left become one value for
 * each block, in bl.part. */
kol_status sums_blocks(struct blocks bl, int sums, int maxima);

/* sums_total: the same, then added up over the blocks, where this rank owns them all: result[0 ..
 * sums+maxima-1], kernel memory. Then sums_apply. */
kol_status sums_total(struct blocks bl, int sums, int maxima, double *result, enum cg_step step,
                      struct cg_scalars cg);

/* sums_team: ranks whose GPUs can write into each other's memory, for sums without the host. all[r] and
 * arrived[r]: memory of rank r, mapped here. all[r] holds two rounds of KOL_PARTS values for every block of
 * the global grid, arrived[r] one counter for each rank, 0 at first. first, global: place of this rank's
 * blocks in the grid of blocks. */
enum { SUMS_TEAM_MOST = 16 };
struct sums_team {
    int ranks, rank;
    int first[3], global[3];
    double *all[SUMS_TEAM_MOST];
    unsigned *arrived[SUMS_TEAM_MOST];
};
/* sums_share: sums_total over a team: own block values go to every rank, then the sums are taken over the
 * blocks of the global grid, on every rank the same bits. round: 1, 2, 3, ..., the same on all ranks, one for
 * each call. Collective over the team; waits on the GPU, not on the host. KOL_ERR_INTERNAL in the CPU build,
 * which has no teams. */
kol_status sums_share(struct blocks bl, int sums, int maxima, const struct sums_team *team, unsigned round,
                      double *result, enum cg_step step, struct cg_scalars cg);

/* sums_apply: cg_advance(state, step, result), then the watch is told; nothing where step is CG_NONE. */
kol_status sums_apply(const double *result, enum cg_step step, struct cg_scalars cg);

KOL_END_C

#endif
