/* Ends a cycle: takes the last smoothing step and returns to the precision of the iteration. */
#include "level_rows.h"
#include "rows.h"

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z;
    const real *r;
    real *z_out;
};

ROW_LOOP leave_row(struct box b, struct box lb, struct level_stencil s, struct blocks bl, int j, int k,
                   double unscale, level_real step, struct leaving f, const int masked)
{
    const ptrdiff_t o = at(b, 0, j, k), ol = at(lb, 0, j, k);
    const struct level_plane h = point_level_plane(s, k);
    const struct around_row a = around_row(lb, s, j, k, f.z);
    const level_real *KOL_RESTRICT rl = f.r_level + ol;
    const real *KOL_RESTRICT r = f.r + o;
    real *KOL_RESTRICT out = f.z_out + o;
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct level_column c = column_of(s, masked, i, j, ol + i);
        const struct level_plane p = plane_of(s, masked, h, ol + i);
        const level_real correction = (rl[i] - apply(s, c, p, a, i, 1)) * inverse_of(masked, c, p);
        const real smooth = (real)(unscale * (double)point_level_smooth(a.c[i], step, correction));
        const real value = masked != PLAIN && s.open[ol + i] == 0 ? 0 : smooth;
        out[i] = value;
        dot[i] = (double)value * r[i];
    }
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out)
{
    if ((cg != NULL && cg->outcome != CG_RUNNING) || !cells_compute_all(cells)) return KOL_OK;
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "level_leave: the first level has no words");
    const double unscale = factor / point_level_scale(cg, volume);
    const struct leaving f = {r_level, z, r, z_out};
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    if (s.open != NULL) leave_row(b, lb, s, bl, j, k, unscale, step, f, BITS);
                    else leave_row(b, lb, s, bl, j, k, unscale, step, f, PLAIN);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}
