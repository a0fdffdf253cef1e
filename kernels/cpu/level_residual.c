/* Computes the residual on a level. */
#include "level_rows.h"

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < lb.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < lb.ny; ++j) {
            const struct around_row a = around_row(lb, s, j, k, z);
            const level_real *KOL_RESTRICT from = r + at(lb, 0, j, k);
            level_real *KOL_RESTRICT to = q + at(lb, 0, j, k);
#pragma omp simd
            for (int i = 0; i < lb.nx; ++i) to[i] = from[i] - apply(s, point_level_column(s, i, j), h, a, i);
        }
    }
    return KOL_OK;
}
