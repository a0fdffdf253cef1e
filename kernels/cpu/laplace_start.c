/* Applies the polynomial preconditioner of degree 0 or 1 to a residual. */
#include "laplace_rows.h"

/* inverses: inverse diagonals at a point and at its neighbours. If x is uniform, three of them are equal. */
struct inverses {
    real c, xl, xh, yl, yh, zl, zh;
};

static inline struct inverses inverses_at(struct stencil s, int i, int j, int k, const int uniform)
{
    struct inverses v;
    v.c = 1 / point_lap_coef(s, i, j, k).diag;
    v.xl = uniform ? v.c : 1 / point_lap_coef(s, i - 1, j, k).diag;
    v.xh = uniform ? v.c : 1 / point_lap_coef(s, i + 1, j, k).diag;
    v.yl = 1 / point_lap_coef(s, i, j - 1, k).diag;
    v.yh = 1 / point_lap_coef(s, i, j + 1, k).diag;
    v.zl = 1 / point_lap_coef(s, i, j, k - 1).diag;
    v.zh = 1 / point_lap_coef(s, i, j, k + 1).diag;
    return v;
}

ROW_LOOP start_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, struct poly1 p,
                    const real *KOL_RESTRICT r, real *KOL_RESTRICT z, const int uniform, const int degree)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const struct inverses row_inverse = inverses_at(s, 0, j, k, uniform);
    const real row_volume = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const ptrdiff_t q = o + i;
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        real value;
        if (degree == 0) {
            value = p.c0 * (r[q] * (uniform ? row_inverse.c : 1 / c.diag));
        } else {
            const struct inverses v = uniform ? row_inverse : inverses_at(s, i, j, k, 0);
            const real sum = point_lap_neighbours(c, r[q - 1] * v.xl, r[q + 1] * v.xh, r[q - b.sy] * v.yl,
                                                  r[q + b.sy] * v.yh, r[q - b.sz] * v.zl, r[q + b.sz] * v.zh);
            value = point_polynomial(p.c0, r[q] * v.c, p.c1, sum, v.c);
        }
        z[q] = value;
        dot[i] = (double)value * r[q];
        big[i] = point_abs(r[q]) * (uniform ? row_volume : 1 / c.vol);
    }
}

ROW_LOOP start_open_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real c0,
                         const real *KOL_RESTRICT r, real *KOL_RESTRICT z, const int uniform)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_volume = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = coef_open(s, row, uniform, i, j, k, o);
        const real value = c0 * (r[o + i] * point_inverse_open(c.diag));
        z[o + i] = value;
        dot[i] = (double)value * r[o + i];
        big[i] = point_abs(r[o + i]) * (uniform ? row_volume : 1 / c.vol);
    }
}

static void start_row(struct box b, struct stencil s, struct blocks bl, int j, int k, struct poly1 p,
                      const real *r, real *z)
{
    if (s.open != NULL && s.uniform_x) {
        start_open_loop(b, s, bl, j, k, p.c0, r, z, 1);
    } else if (s.open != NULL) {
        start_open_loop(b, s, bl, j, k, p.c0, r, z, 0);
    } else if (s.uniform_x && p.c1 != 0) {
        start_loop(b, s, bl, j, k, p, r, z, 1, 1);
    } else if (s.uniform_x) {
        start_loop(b, s, bl, j, k, p, r, z, 1, 0);
    } else if (p.c1 != 0) {
        start_loop(b, s, bl, j, k, p, r, z, 0, 1);
    } else {
        start_loop(b, s, bl, j, k, p, r, z, 0, 0);
    }
}

kol_status laplace_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly1 p, const real *r, real *z)
{
    if (s.open != NULL && p.c1 != 0) RAISE(KOL_ERR_INTERNAL, "laplace_start: only degree 0 with bodies");
    if (over(cg) || !cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 2);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    start_row(b, s, bl, j, k, p, r, z);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                    lanes_row_max(bl, lanes_of(bl, 1, by), rows_of(bl, b, 1));
                }
            }
        }
        lanes_flush(bl, 1, 1, bz);
    }
    return KOL_OK;
}
