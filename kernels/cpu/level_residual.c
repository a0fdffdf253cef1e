/* Computes the residual on a level. */
#include "level_rows.h"

ROW_LOOP residual_loop(int first, int end, int ends, struct level_stencil s, int j, struct level_plane h,
                       struct around_row a, const level_real *KOL_RESTRICT r, level_real *KOL_RESTRICT q,
                       ptrdiff_t o, const int masked)
{
#pragma omp simd
    for (int i = first; i < end; ++i) {
        struct level_column c = point_level_column(s, i, j);
        struct level_plane p = h;
        close_faces(s, masked, o + i, &c, &p);
        q[i] = r[i] - apply(s, c, p, a, i, ends);
    }
}

ROW_LOOP residual_row(int nx, struct level_stencil s, int j, struct level_plane h, struct around_row a,
                      const level_real *r, level_real *q, ptrdiff_t o, const int masked)
{
    FOR_PARTS_OF_ROW(nx, residual_loop, s, j, h, a, r, q, o, masked);
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
            FOR_KINDS(s, residual_row, lb.nx, s, j, h, a, r + o, q + o, o);
        }
    }
    return KOL_OK;
}
