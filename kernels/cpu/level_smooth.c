/* Takes one smoothing step on a level. */
#include "level_rows.h"

int level_smooth_corrects(void)
{
    return 0;
}

ROW_LOOP smooth_loop(int first, int end, int ends, struct level_stencil s, int j, struct level_plane h,
                     struct around_row a, level_real step, const level_real *KOL_RESTRICT r,
                     level_real *KOL_RESTRICT next, ptrdiff_t o, const int masked)
{
#pragma omp simd
    for (int i = first; i < end; ++i) {
        const struct level_column c = column_of(s, masked, i, j, o + i);
        const struct level_plane p = plane_of(s, masked, h, o + i);
        const level_real residual = r[i] - apply(s, c, p, a, i, ends);
        const level_real z = point_level_smooth(a.c[i], step, residual * inverse_of(masked, c, p));
        next[i] = masked == BITS && s.open[o + i] == 0 ? 0 : z;
    }
}

ROW_LOOP smooth_rows(struct box b, struct level_stencil s, level_real step, const level_real *r,
                     const level_real *z, level_real *z_next, const int masked)
{
    for (int k = 0; k < b.nz; ++k) {
        const struct level_plane h = point_level_plane(s, k);
        for (int j = 0; j < b.ny; ++j) {
            const struct around_row a = around_row(b, s, j, k, z);
            const ptrdiff_t o = at(b, 0, j, k);
            FOR_PARTS_OF_ROW(b.nx, passes_both_ends(s, b.nx), smooth_loop, s, j, h, a, step, r + o,
                             z_next + o, o, masked);
        }
    }
}

ALL_KINDS(smooth_rows,
          (struct box b, struct level_stencil s, level_real step, const level_real *r, const level_real *z,
           level_real *z_next),
          (b, s, step, r, z, z_next))

kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *correction,
                        level_real *z_next)
{
    if (correction != NULL)
        RAISE(KOL_ERR_INTERNAL, "the CPU build cannot add a correction in a smoothing step");
    if (cells_compute_all(cells)) smooth_rows_of_level(lb, s, step, r, z, z_next);
    return KOL_OK;
}
