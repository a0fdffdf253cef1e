/* Takes one smoothing step on a level. */
#include "level_rows.h"

int level_smooth_corrects(void)
{
    return 0;
}

ROW_LOOP smooth_loop(struct box b, struct level_stencil s, int j, int k, level_real step,
                     const level_real *KOL_RESTRICT r, const level_real *z, level_real *KOL_RESTRICT next)
{
    const struct level_plane h = point_level_plane(s, k);
    const struct around_row a = around_row(b, s, j, k, z);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct level_column c = point_level_column(s, i, j);
        next[i] = point_level_smooth(a.c[i], step, (r[i] - apply(s, c, h, a, i)) * point_level_inverse(c, h));
    }
}

kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *correction,
                        level_real *z_next)
{
    if (correction != NULL)
        RAISE(KOL_ERR_INTERNAL, "a correction, which the smoothing of this build does not add");
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            const ptrdiff_t o = at(lb, 0, j, k);
            smooth_loop(lb, s, j, k, step, r + o, z, z_next + o);
        }
    }
    return KOL_OK;
}
