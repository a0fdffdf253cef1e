#include "../laplace.h"
#include "../point/lap.h"
#include "../point/project.h"
#include "cells.h"
#include "rows.h"

/* Loops over a row are written once, with a constant flag: where x is uniform, coefficients and the inverse
 * diagonal are taken out of the loop; they are the same numbers. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

static int over(const struct cg_state *cg)
{
    return cg != NULL && cg->outcome != CG_RUNNING;
}

static inline real apply(struct box b, struct stencil s, struct lap_coef c, const real *x, ptrdiff_t q)
{
    return point_lap_apply(c, s.shift, x[q], x[q - 1], x[q + 1], x[q - b.sy], x[q + b.sy], x[q - b.sz],
                           x[q + b.sz]);
}

ROW_LOOP residual_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                       const real *rhs, const real *KOL_RESTRICT x, real *r, const int uniform,
                       const int kept)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT vx = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, 2);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real res = point_residual(c.vol, rhs[o + i], mean, apply(b, s, c, x, o + i));
        if (kept) r[o + i] = res;
        sum[i] = res;
        vx[i] = (double)c.vol * x[o + i];
        big[i] = point_abs(res) * (uniform ? row_inverse : 1 / c.vol);
    }
}

static void residual_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                         const real *rhs, const real *x, real *r)
{
    if (s.uniform_x && r != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 1, 1);
    } else if (s.uniform_x) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 1, 0);
    } else if (r != NULL) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 1);
    } else {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0, 0);
    }
}

kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, struct cells cells, real mean,
                            const real *rhs, const real *x, real *r)
{
    if (!cells_whole(cells)) return KOL_OK;
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

/* Inverse diagonals at a point and at its neighbours. Along a uniform x three of them are one. */
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

/* Where no z is wanted: |r| / V alone. */
static void largest_row(struct box b, struct stencil s, struct blocks bl, int j, int k,
                        const real *KOL_RESTRICT r)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
    const real row_volume = 1 / point_lap_coef(s, 0, j, k).vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        dot[i] = 0;
        big[i] = point_abs(r[o + i]) * (s.uniform_x ? row_volume : 1 / point_lap_coef(s, i, j, k).vol);
    }
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

static void start_row(struct box b, struct stencil s, struct blocks bl, int j, int k, struct poly1 p,
                      const real *r, real *z)
{
    if (s.uniform_x && p.c1 != 0) {
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
    if (over(cg) || !cells_whole(cells)) return KOL_OK;
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

/* d_new = z + beta d on columns from .. to - 1 of row (j, k). */
static void combine(struct box b, int j, int k, int from, int to, real beta, const real *KOL_RESTRICT z,
                    const real *KOL_RESTRICT d, real *KOL_RESTRICT d_new)
{
    const ptrdiff_t o = at(b, 0, j, k);
    if (beta == 0) {
        for (int i = from; i < to; ++i) d_new[o + i] = z[o + i];
    } else {
        for (int i = from; i < to; ++i) d_new[o + i] = z[o + i] + beta * d[o + i];
    }
}

/* The new direction on row (j, k) and its ends, as far as the operator reads them: it needs the first halo
 * layer before laplace_direction_halo writes it, the same values again. */
static void direction_row(struct box b, int j, int k, real beta, const real *z, const real *d, real *d_new)
{
    const int rim = j >= 0 && j < b.ny && k >= 0 && k < b.nz;
    combine(b, j, k, -rim, b.nx + rim, beta, z, d, d_new);
}

ROW_LOOP product_loop(struct box b, struct stencil s, struct blocks bl, int j, int k,
                      const real *KOL_RESTRICT d, const int uniform)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real a = apply(b, s, uniform ? row : point_lap_coef(s, i, j, k), d, o + i);
        dot[i] = (double)a * d[o + i];
    }
}

static void product_row(struct box b, struct stencil s, struct blocks bl, int j, int k, const real *d)
{
    if (s.uniform_x) {
        product_loop(b, s, bl, j, k, d, 1);
    } else {
        product_loop(b, s, bl, j, k, d, 0);
    }
}

kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z)
{
    if (over(cg) || !cells_whole(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    product_row(b, s, bl, j, k, z);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

/* Row (j, k + 1) of the new direction is made just before the operator needs it on row (j, k), while it is in
 * cache. What goes before the first rows, and before those of plane k. */
static void direction_lead(struct box b, real beta, const real *z, const real *d, real *d_new)
{
    for (int j = 0; j < b.ny; ++j) direction_row(b, j, -1, beta, z, d, d_new);
    for (int j = -1; j <= b.ny; ++j) direction_row(b, j, 0, beta, z, d, d_new);
}

static void direction_sides(struct box b, int k, real beta, const real *z, const real *d, real *d_new)
{
    if (k + 1 == b.nz) return;
    direction_row(b, -1, k + 1, beta, z, d, d_new);
    direction_row(b, b.ny, k + 1, beta, z, d, d_new);
}

kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    if (over(cg) || !cells_whole(cells)) return KOL_OK;
    const real beta = cg != NULL ? (real)cg->beta : 0;
    direction_lead(b, beta, z, d, d_new);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            direction_sides(b, k, beta, z, d, d_new);
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    direction_row(b, j, k + 1, beta, z, d, d_new);
                    product_row(b, s, bl, j, k, d_new);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

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

/* How far cell i is beyond 0 .. n - 1. */
static int beyond(int i, int n)
{
    return i < 0 ? -i : i >= n ? i - n + 1 : 0;
}

kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new)
{
    (void)cells;
    if (over(cg)) return KOL_OK;
    const real beta = cg != NULL ? (real)cg->beta : 0;
    const int edges = layers > 1;
    for (int k = -layers; k < b.nz + layers; ++k) {
        for (int j = -layers; j < b.ny + layers; ++j) {
            const int out_y = beyond(j, b.ny), out_z = beyond(k, b.nz), out = out_y + out_z;
            /* two directions out: the first layer alone */
            const int ends = out == 0 ? layers : out == 1 ? edges : 0;
            if (out_y > 0 && out_z > 0 && (out > 2 || !edges)) continue;
            if (out > 0) combine(b, j, k, 0, b.nx, beta, z, d, d_new);
            combine(b, j, k, -ends, 0, beta, z, d, d_new);
            combine(b, j, k, b.nx, b.nx + ends, beta, z, d, d_new);
        }
    }
    return KOL_OK;
}

/* Rows and planes are swept as they lie in memory. */
int laplace_apart(void)
{
    return 0;
}

int laplace_around(void)
{
    return 0;
}

ptrdiff_t laplace_plane_scratch(struct box b)
{
    return 3 * b.sz;
}

/* laplace_update as one sweep: row (j, k + 1) of x and r is advanced, with the halo face where the polynomial
 * reads it, and its y = r / D put into a rolling buffer of three planes, then the polynomial is formed on row
 * (j, k). */
struct sweep {
    struct box b;
    struct stencil s;
    struct poly1 p;
    real alpha;
    const real *d, *r, *x;
    real *x_new, *r_new, *z, *planes;
};

static real *plane_of(const struct sweep *w, int k)
{
    return w->planes + (ptrdiff_t)((k + 3) % 3) * w->b.sz;
}

ROW_LOOP advance_loop(const struct sweep *w, int j, int k, int from, int to, const int uniform, const int own)
{
    const struct box b = w->b;
    const struct stencil s = w->s;
    const ptrdiff_t o = at(b, 0, j, k);
    const real alpha = w->alpha;
    const real *KOL_RESTRICT d = w->d + o, *KOL_RESTRICT r = w->r + o, *x = w->x + o;
    real *KOL_RESTRICT y = plane_of(w, k) + (o - b.sz * (k + b.h)), *KOL_RESTRICT r_new = w->r_new + o,
                       *x_new = w->x_new + o;
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.diag;
#pragma omp simd
    for (int i = from; i < to; ++i) {
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real rest = r[i] - alpha * apply(b, s, c, d, i);
        r_new[i] = rest;
        y[i] = rest * (uniform ? row_inverse : 1 / c.diag);
        if (own) x_new[i] = x[i] + alpha * d[i];
    }
}

/* Row (j, k): own cells, and one more at both ends where the polynomial reads them. */
static void advance_row(const struct sweep *w, int j, int k)
{
    const struct box b = w->b;
    const int own = k >= 0 && k < b.nz && j >= 0 && j < b.ny, ends = own && w->p.c1 != 0;
    if (!own && w->p.c1 == 0) return;
    if (w->s.uniform_x && own) {
        advance_loop(w, j, k, 0, b.nx, 1, 1);
    } else if (w->s.uniform_x) {
        advance_loop(w, j, k, 0, b.nx, 1, 0);
    } else if (own) {
        advance_loop(w, j, k, 0, b.nx, 0, 1);
    } else {
        advance_loop(w, j, k, 0, b.nx, 0, 0);
    }
    for (int i = -1; ends && i <= b.nx; i += b.nx + 1) advance_loop(w, j, k, i, i + 1, 0, 0);
}

ROW_LOOP polynomial_loop(const struct sweep *w, struct blocks bl, int j, int k, const int uniform,
                         const int degree)
{
    const struct box b = w->b;
    const struct stencil s = w->s;
    const ptrdiff_t o = at(b, 0, j, k), in_plane = o - b.sz * (k + b.h);
    const real *KOL_RESTRICT y = plane_of(w, k) + in_plane,
                             *KOL_RESTRICT below = plane_of(w, k - 1) + in_plane,
                             *KOL_RESTRICT above = plane_of(w, k + 1) + in_plane,
                             *KOL_RESTRICT r = w->r_new + o;
    real *KOL_RESTRICT z = w->z + o;
    double *KOL_RESTRICT dot = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
    const real c0 = w->p.c0, c1 = w->p.c1;
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.diag, row_volume = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real inverse = uniform ? row_inverse : 1 / c.diag;
        const real sum = degree == 0 ? 0
                                     : point_lap_neighbours(c, y[i - 1], y[i + 1], y[i - b.sy], y[i + b.sy],
                                                            below[i], above[i]);
        const real value = degree == 0 ? c0 * y[i] : point_polynomial(c0, y[i], c1, sum, inverse);
        z[i] = value;
        dot[i] = (double)value * r[i];
        big[i] = point_abs(r[i]) * (uniform ? row_volume : 1 / c.vol);
    }
}

static void polynomial_row(const struct sweep *w, struct blocks bl, int j, int k)
{
    const int degree = w->p.c1 != 0;
    if (w->z == NULL) {
        largest_row(w->b, w->s, bl, j, k, w->r_new);
        return;
    }
    if (w->s.uniform_x && degree == 1) {
        polynomial_loop(w, bl, j, k, 1, 1);
    } else if (w->s.uniform_x) {
        polynomial_loop(w, bl, j, k, 1, 0);
    } else if (degree == 1) {
        polynomial_loop(w, bl, j, k, 0, 1);
    } else {
        polynomial_loop(w, bl, j, k, 0, 0);
    }
}

kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, struct poly1 p, const real *d, const real *x,
                          real *x_new, const real *r, real *r_new, real *z, real *planes)
{
    (void)cells;
    if (over(cg)) return KOL_OK;
    const struct sweep w = {b, s, p, cg != NULL ? (real)cg->alpha : 0, d, r, x, x_new, r_new, z, planes};
    for (int j = 0; j < b.ny; ++j) advance_row(&w, j, -1);
    for (int j = -1; j <= b.ny; ++j) advance_row(&w, j, 0);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 2);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            if (k + 1 < b.nz) {
                advance_row(&w, -1, k + 1);
                advance_row(&w, b.ny, k + 1);
            }
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    advance_row(&w, j, k + 1);
                    polynomial_row(&w, bl, j, k);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                    lanes_row_max(bl, lanes_of(bl, 1, by), rows_of(bl, b, 1));
                }
            }
        }
        lanes_flush(bl, 1, 1, bz);
    }
    return KOL_OK;
}

ROW_LOOP chebyshev_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real momentum,
                        real step, real y0, const real *KOL_RESTRICT r, const real *KOL_RESTRICT z,
                        const real *z_prev, real *z_next, const int uniform, const int first)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.diag;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real zc = z[o + i], inverse = uniform ? row_inverse : 1 / c.diag;
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
    if (s.uniform_x && z_prev == NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 1, 1);
    } else if (s.uniform_x) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 1, 0);
    } else if (z_prev == NULL) {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 1);
    } else {
        chebyshev_loop(b, s, bl, j, k, momentum, step, y0, r, z, z_prev, z_next, 0, 0);
    }
}

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next)
{
    if (over(cg) || !cells_whole(cells)) return KOL_OK;
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
