/* Scales the residual of the iteration and rounds it to the precision of the levels. */
#include "../level.h"
#include "../point/level.h"

kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level)
{
    const double scale = point_level_scale(cg, volume);
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const real *KOL_RESTRICT from = r + at(b, 0, j, k);
            level_real *KOL_RESTRICT to = r_level + at(lb, 0, j, k);
#pragma omp simd
            for (int i = 0; i < b.nx; ++i) to[i] = (level_real)(scale * from[i]);
        }
    }
    return KOL_OK;
}
