/* Computes the residual of the 7-point operator with its sums. */
#include "laplace_rows.h"

ROW_LOOP residual_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                       const real *rhs, const real *KOL_RESTRICT x, real *r, const int uniform,
                       const int kept, const int masked)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT vx = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, 2);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = masked    ? coef_open(s, row, uniform, i, j, k, o)
                                  : uniform ? row
                                            : point_lap_coef(s, i, j, k);
        const real full = point_residual(c.vol, rhs[o + i], mean, apply(b, s, c, x, o + i));
        const real res = masked && s.open[o + i] == 0 ? 0 : full;
        if (kept) r[o + i] = res;
        sum[i] = res;
        vx[i] = (double)c.vol * x[o + i];
        big[i] = point_abs(res) * (uniform ? row_inverse : 1 / c.vol);
    }
}

static void residual_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                         const real *rhs, const real *x, real *r)
{
    if (s.open != NULL && r != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 1, 1);
    } else if (s.open != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 0, 1);
    } else if (s.uniform_x && r != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 1, 1, 0);
    } else if (s.uniform_x) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 1, 0, 0);
    } else if (r != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 1, 0);
    } else {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 0, 0);
    }
}

kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, struct cells cells, real mean,
                            const real *rhs, const real *x, real *r)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 3);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    residual_row(b, s, bl, j, k, mean, rhs, x, r);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                    lanes_row_sum(bl, lanes_of(bl, 1, by), rows_of(bl, b, 1));
                    lanes_row_max(bl, lanes_of(bl, 2, by), rows_of(bl, b, 2));
                }
            }
        }
        lanes_flush(bl, 2, 1, bz);
    }
    return KOL_OK;
}
