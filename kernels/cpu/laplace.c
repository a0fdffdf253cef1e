#include "../laplace.h"
#include "../point/lap.h"
#include "../point/project.h"
#include "rows.h"

/* Loops over a row are written once, with a constant flag: where x is uniform, coefficients and the inverse diagonal are
 * taken out of the loop; they are the same numbers. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

static inline real apply(struct box b, struct stencil s, struct lap_coef c, const real *x, ptrdiff_t q)
{
    return point_lap_apply(c, s.shift, x[q], x[q - 1], x[q + 1], x[q - b.sy], x[q + b.sy], x[q - b.sz],
                           x[q + b.sz]);
}

ROW_LOOP residual_loop(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                       const real *rhs, const real *KOL_RESTRICT x, real *r, const int uniform)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT vx = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, 2);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
    const real row_inverse = 1 / row.vol;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = uniform ? row : point_lap_coef(s, i, j, k);
        const real res = point_residual(c, rhs[o + i], mean, apply(b, s, c, x, o + i));
        r[o + i] = res;
        sum[i] = res;
        vx[i] = (double)c.vol * x[o + i];
        big[i] = point_abs(res) * (uniform ? row_inverse : 1 / c.vol);
    }
}

static void residual_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                         const real *rhs, const real *x, real *r)
{
    if (s.uniform_x) {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 1);
    } else {
        residual_loop(b, s, bl, j, k, mean, rhs, x, r, 0);
    }
}

kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, real mean, const real *rhs,
                            const real *x, real *r)
{
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

/* d = z + beta d on plane k and on its halo rows and columns; the planes -1 and nz have own columns only. */
static void direction_plane(struct box b, int k, real beta, const real *KOL_RESTRICT z, real *KOL_RESTRICT d)
{
    const int rim = k >= 0 && k < b.nz;
    for (int j = -rim; j < b.ny + rim; ++j) {
        const int row_rim = rim && j >= 0 && j < b.ny;
        const ptrdiff_t o = at(b, 0, j, k);
        if (beta == 0) {
            for (int i = -row_rim; i < b.nx + row_rim; ++i) d[o + i] = z[o + i];
        } else {
            for (int i = -row_rim; i < b.nx + row_rim; ++i) d[o + i] = z[o + i] + beta * d[o + i];
        }
    }
}

ROW_LOOP apply_loop(struct box b, struct stencil s, struct blocks bl, int j, int k,
                    const real *KOL_RESTRICT d, real *KOL_RESTRICT q, const int uniform)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real a = apply(b, s, uniform ? row : point_lap_coef(s, i, j, k), d, o + i);
        q[o + i] = a;
        dot[i] = (double)a * d[o + i];
    }
}

static void apply_row(struct box b, struct stencil s, struct blocks bl, int j, int k, const real *d, real *q)
{
    if (s.uniform_x) {
        apply_loop(b, s, bl, j, k, d, q, 1);
    } else {
        apply_loop(b, s, bl, j, k, d, q, 0);
    }
}

/* The new direction of plane k + 1 is made just before the operator needs it on plane k, while it is in cache. */
kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, real beta, const real *z,
                             real *d, real *q)
{
    direction_plane(b, -1, beta, z, d);
    direction_plane(b, 0, beta, z, d);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            direction_plane(b, k + 1, beta, z, d);
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    apply_row(b, s, bl, j, k, d, q);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

ptrdiff_t laplace_plane_scratch(struct box b)
{
    return 3 * b.sz;
}

/* laplace_update as one sweep: plane k + 1 of x and r is advanced and its y = r / D put into a rolling buffer of
 * three planes, then the polynomial is formed on plane k. */
struct sweep {
    struct box b;
    struct stencil s;
    real alpha;
    const real *d, *q;
    struct poly1 p;
    real *x, *r, *z, *planes;
};

static real *plane_of(const struct sweep *w, int k)
{
    return w->planes + (ptrdiff_t)((k + 3) % 3) * w->b.sz;
}

static void advance_row(const struct sweep *w, int j, int k, int rim)
{
    const struct box b = w->b;
    const ptrdiff_t o = at(b, 0, j, k);
    const int own = k >= 0 && k < b.nz && j >= 0 && j < b.ny;
    real *KOL_RESTRICT y = plane_of(w, k) + (o - b.sz * (k + b.h));
    real *KOL_RESTRICT r = w->r + o;
    if (w->d != NULL) {
        const real *KOL_RESTRICT q = w->q + o;
        const real alpha = w->alpha;
        for (int i = -rim; i < b.nx + rim; ++i) r[i] -= alpha * q[i];
        if (own) {
            const real *KOL_RESTRICT d = w->d + o;
            real *KOL_RESTRICT x = w->x + o;
            for (int i = 0; i < b.nx; ++i) x[i] += alpha * d[i];
        }
    }
    const struct stencil s = w->s;
    if (s.uniform_x) {
        const real inverse = 1 / point_lap_coef(s, 0, j, k).diag;
        for (int i = -rim; i < b.nx + rim; ++i) y[i] = r[i] * inverse;
    } else {
#pragma omp simd
        for (int i = -rim; i < b.nx + rim; ++i) y[i] = r[i] * (1 / point_lap_coef(s, i, j, k).diag);
    }
}

static void advance_plane(const struct sweep *w, int k)
{
    const struct box b = w->b;
    const int rim = w->p.c1 != 0 && k >= 0 && k < b.nz;
    if (w->p.c1 == 0 && (k < 0 || k >= b.nz)) return;
    for (int j = -rim; j < b.ny + rim; ++j) advance_row(w, j, k, rim && j >= 0 && j < b.ny);
}

ROW_LOOP polynomial_loop(const struct sweep *w, struct blocks bl, int j, int k, const int uniform,
                         const int degree)
{
    const struct box b = w->b;
    const struct stencil s = w->s;
    const ptrdiff_t o = at(b, 0, j, k), in_plane = o - b.sz * (k + b.h);
    const real *KOL_RESTRICT y = plane_of(w, k) + in_plane,
                             *KOL_RESTRICT below = plane_of(w, k - 1) + in_plane,
                             *KOL_RESTRICT above = plane_of(w, k + 1) + in_plane, *KOL_RESTRICT r = w->r + o;
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

kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, real alpha, const real *d,
                          const real *q, struct poly1 p, real *x, real *r, real *z, real *planes)
{
    const struct sweep w = {b, s, alpha, d, q, p, x, r, z, planes};
    advance_plane(&w, -1);
    advance_plane(&w, 0);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 2);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            advance_plane(&w, k + 1);
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
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

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, real momentum, real step,
                             real y0, const real *r, const real *z, const real *z_prev, real *z_next)
{
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
