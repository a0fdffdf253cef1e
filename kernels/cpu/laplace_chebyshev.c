/* Raises the degree of a Chebyshev polynomial by one. */
#include "laplace_rows.h"

ROW_LOOP chebyshev_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real momentum,
                        real step, real y0, const real *KOL_RESTRICT r, const real *KOL_RESTRICT z,
                        const real *z_prev, real *z_next, const int uniform, const int first,
                        const int masked)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.diag;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = masked    ? coef_open(s, row, uniform, i, j, k, o)
                                  : uniform ? row
                                            : point_lap_coef(s, i, j, k);
        const real zc = z[o + i], inverse = masked    ? point_inverse_open(c.diag)
                                            : uniform ? row_inverse
                                                      : 1 / c.diag;
        const real prev = first ? y0 * (r[o + i] * inverse) : z_prev[o + i];
        const real next =
            point_chebyshev(zc, prev, momentum, step, r[o + i], apply(b, s, c, z, o + i), inverse);
        z_next[o + i] = next;
        dot[i] = (double)next * r[o + i];
    }
}

static void chebyshev_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real momentum,
                          real step, real y0, const real *r, const real *z, const real *z_prev, real *z_next)
{
    if (s.open != NULL && z_prev == NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 1, 1);
    } else if (s.open != NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 0, 1);
    } else if (s.uniform_x && z_prev == NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 1, 1, 0);
    } else if (s.uniform_x) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 1, 0, 0);
    } else if (z_prev == NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 1, 0);
    } else {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 0, 0);
    }
}

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next)
{
    if (over(cg) || !cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    chebyshev_row(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}
