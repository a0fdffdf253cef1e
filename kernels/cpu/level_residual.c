/* Computes the residual on a level. */
#include "level_rows.h"

ROW_LOOP residual_loop(int first, int end, int ends, struct level_stencil s, int j, struct level_plane h,
                       struct around_row a, const level_real *KOL_RESTRICT r, level_real *KOL_RESTRICT q,
                       ptrdiff_t o, const int masked)
{
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const struct level_column c = column_of(s, masked, i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        q[i] = r[i] - apply(s, c, p, a, i, ends);
    }
}

ROW_LOOP residual_rows(struct box b, struct level_stencil s, const level_real *r, const level_real *z,
                       level_real *q, const int masked)
{
    for (int k = 0; k < b.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < b.ny; ++j) {
            const struct around_row a = around_row(b, s, j, k, z);
            const ptrdiff_t o = at(b, 0, j, k);
            FOR_PARTS_OF_ROW(b.nx, passes_both_ends(s, b.nx), residual_loop, s, j, h, a, r + o, q + o, o,
                             masked);
        }
    }
}

ALL_KINDS(residual_rows,
          (struct box b, struct level_stencil s, const level_real *r, const level_real *z, level_real *q),
          (b, s, r, z, q))

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    if (cells_compute_all(cells)) residual_rows_of_level(lb, s, r, z, q);
    return KOL_OK;
}
