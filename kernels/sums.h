/* Adds up over the grid what a summing kernel left, and updates the scalars of conjugate gradients with the
 * result. All of this happens in kernel memory. docs/numerics/sums.md.
 *
 * The global grid fixes the order of every addition: first the pieces of a block, then the blocks along x, y,
 * z. Maxima are maxima of magnitudes and start from 0. A maximum ignores NaN; a sum becomes NaN. */
#ifndef KOL_SUMS_H
#define KOL_SUMS_H

#include "base/status.h"
#include "cg.h"

KOL_BEGIN_C

/* sums_pieces: returns the length of blocks.pieces that the kernels of this backend need. The counts and
 * `widest` of bl must be set. */
ptrdiff_t sums_pieces(struct blocks bl);

/* sums_blocks: turns what the last summing kernel left into one value for each block, in bl.part. There are
 * `sums` sums and then `maxima` maxima. */
kol_status sums_blocks(struct blocks bl, int sums, int maxima);

/* sums_total: does the same, and then combines the values of all blocks. The result is result[0 ..
 * sums+maxima-1], in kernel memory or in host memory of mem_host_alloc(). This rank must own all blocks. At
 * the end it calls sums_apply. */
kol_status sums_total(struct blocks bl, int sums, int maxima, double *result, enum cg_step step,
                      struct cg_scalars cg);

/* sums_team: ranks whose GPUs can write to each other's memory, for sums without the host.
 *
 *   all             all[r]: memory of rank r, which this rank can write to. It has room for the values of
 *                   two calls of sums_share: KOL_PARTS values for every block of the global grid each time
 *   arrived         arrived[r]: memory of rank r, which this rank can write to; one counter for each rank,
 *                   0 at first
 *   first, global   place of this rank's blocks in the grid of blocks, and the size of that grid */
enum { SUMS_TEAM_MOST = 16 };
struct sums_team {
    int ranks, rank;
    int first[3], global[3];
    double *all[SUMS_TEAM_MOST];
    unsigned *arrived[SUMS_TEAM_MOST];
};
/* sums_share: does the work of sums_total over a team. Every rank sends the values of its own blocks to all
 * ranks. Then each rank adds up all blocks of the global grid, and all get the same bits.
 *
 * round: 1, 2, 3, ... for one call after another, the same on all ranks. The call is collective over the
 * team. The GPU waits for the other ranks, not the host. Returns KOL_ERR_INTERNAL in the CPU build, which has
 * no teams. */
kol_status sums_share(struct blocks bl, int sums, int maxima, const struct sums_team *team, unsigned round,
                      double *result, enum cg_step step, struct cg_scalars cg);

/* sums_apply: calls cg_advance(state, step, result) and then updates the watch (cg.h). It does nothing if
 * step is CG_NONE. */
kol_status sums_apply(const double *result, enum cg_step step, struct cg_scalars cg);

KOL_END_C

#endif
