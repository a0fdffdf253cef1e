/* Updates search direction, solution and residual in one sweep, for iterations with one sum. */
#include "laplace_direction.h"

ROW_LOOP joint_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real alpha,
                    const real *KOL_RESTRICT d, const real *x, real *x_new, const real *KOL_RESTRICT r,
                    real *KOL_RESTRICT r_new, const int uniform)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT big = rows_of(bl, b, 1);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_volume = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t q = o + i;
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real rest = r[q] - alpha * apply(b, s, c, d, q);
        r_new[q] = rest;
        x_new[q] = x[q] + alpha * d[q];
        big[i] = point_abs(rest) * (uniform ? row_volume : 1 / c.vol);
    }
}

static void joint_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real alpha,
                      const real *d, const real *x, real *x_new, const real *r, real *r_new)
{
    if (s.uniform_x) {
        joint_loop(b, s, bl, j, k, alpha, d, x, x_new, r, r_new, 1);
    } else {
        joint_loop(b, s, bl, j, k, alpha, d, x, x_new, r, r_new, 0);
    }
}

kol_status laplace_advance(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                           const struct cg_state *cg, const real *z, const real *d, real *d_new,
                           const real *x, real *x_new, const real *r, real *r_new)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_advance: not with bodies");
    (void)cells;
    if (over(cg)) return KOL_OK;
    const real alpha = cg != NULL ? (real)cg->alpha : 0, beta = cg != NULL ? (real)cg->beta : 0;
    direction_lead(b, beta, z, d, d_new);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 2);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            direction_sides(b, k, beta, z, d, d_new);
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    direction_row(b, j, k + 1, beta, z, d, d_new);
                    joint_row(b, s, bl, j, k, alpha, d_new, x, x_new, r, r_new);
                    lanes_row_max(bl, lanes_of(bl, 1, by), rows_of(bl, b, 1));
                }
            }
        }
        lanes_flush(bl, 1, 1, bz);
    }
    return KOL_OK;
}
