/* Computes the residual on a level. */
#include "level_rows.h"

ROW_LOOP residual_loop(int first, int end, int ends, struct level_stencil s, int j, struct level_plane h,
                       struct around_row a, const level_real *KOL_RESTRICT r, level_real *KOL_RESTRICT q)
{
#pragma omp simd
    for (int i = first; i < end; ++i) q[i] = r[i] - apply(s, point_level_column(s, i, j), h, a, i, ends);
}

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < lb.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < lb.ny; ++j) {
            const struct around_row a = around_row(lb, s, j, k, z);
            const ptrdiff_t o = at(lb, 0, j, k);
            FOR_PARTS_OF_ROW(lb.nx, residual_loop, s, j, h, a, r + o, q + o);
        }
    }
    return KOL_OK;
}
