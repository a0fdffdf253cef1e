/* Adds up what a summing kernel left, block by block, and hands the sums to conjugate gradients. */
#include "../sums.h"

#include <limits.h>

/* There are no pieces: the kernels of this backend add their lanes up into blocks.part themselves. */
ptrdiff_t sums_pieces(struct blocks bl)
{
    (void)bl;
    return 0;
}

kol_status sums_blocks(struct blocks bl, int sums, int maxima)
{
    (void)bl;
    (void)sums;
    (void)maxima;
    return KOL_OK;
}

/* Adds up blocks along x, then rows of blocks along y, then planes of them along z, each in order.
 * solver/parallel/reduction.c has the same order. */
static double total_of(struct blocks bl, const double *part)
{
    double all = 0;
    for (int bz = 0; bz < bl.nz; ++bz) {
        double plane = 0;
        for (int by = 0; by < bl.ny; ++by, part += bl.nx) {
            double row = part[0];
            for (int bx = 1; bx < bl.nx; ++bx) row += part[bx];
            plane = by == 0 ? row : plane + row;
        }
        all = bz == 0 ? plane : all + plane;
    }
    return all;
}

static double most_of(struct blocks bl, const double *part)
{
    double most = part[0];
    for (ptrdiff_t n = 1; n < blocks_count(bl); ++n) most = part[n] > most ? part[n] : most;
    return most;
}

kol_status sums_total(struct blocks bl, int sums, int maxima, double *result, enum cg_step step,
                      struct cg_scalars cg)
{
    for (int q = 0; q < sums + maxima; ++q) {
        const double *part = bl.part + q * blocks_count(bl);
        result[q] = q < sums ? total_of(bl, part) : most_of(bl, part);
    }
    return sums_apply(result, step, cg);
}

kol_status sums_share(struct blocks bl, int sums, int maxima, const struct sums_team *team, unsigned round,
                      double *result, enum cg_step step, struct cg_scalars cg)
{
    (void)bl;
    (void)team;
    (void)result;
    (void)step;
    (void)cg;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no teams of GPUs for sums (%d + %d, round %u)", sums, maxima,
          round);
}

/* The watch learns of the end at the next step that it counts. So the answer of cg_wait does not depend on
 * when it looks. */
kol_status sums_apply(const double *result, enum cg_step step, struct cg_scalars cg)
{
    if (step == CG_NONE) return KOL_OK;
    cg_advance(cg.state, step, result);
    if (step == CG_DIRECTION) return KOL_OK;
    const int count = ++cg.watch->steps;
    if (cg.state->outcome != CG_RUNNING && cg.watch->ended == INT_MAX) {
        cg.watch->outcome = cg.state->outcome;
        cg.watch->ended = count;
    }
    return KOL_OK;
}
