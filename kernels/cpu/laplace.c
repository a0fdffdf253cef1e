#include "../laplace.h"
#include "../point/lap.h"
#include "../point/project.h"
#include "rows.h"

static real apply(struct box b, struct stencil s, struct lap_coef c, const real *x, ptrdiff_t q)
{
    return point_lap_apply(c, s.shift, x[q], x[q - 1], x[q + 1], x[q - b.sy], x[q + b.sy], x[q - b.sz],
                           x[q + b.sz]);
}

static void residual_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real mean,
                         const real *rhs, const real *KOL_RESTRICT x, real *r)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, 0), *KOL_RESTRICT vx = rows_of(bl, b, 1),
                         *KOL_RESTRICT big = rows_of(bl, b, 2);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real res = (rhs[o + i] - mean * c.vol) - apply(b, s, c, x, o + i);
        r[o + i] = res;
        sum[i] = res;
        vx[i] = (double)c.vol * x[o + i];
        big[i] = point_abs(res) / c.vol;
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

static void apply_row(struct box b, struct stencil s, struct blocks bl, int j, int k,
                      const real *KOL_RESTRICT d, real *KOL_RESTRICT q)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const real a = apply(b, s, point_lap_coef(s, i, j, k), d, o + i);
        q[o + i] = a;
        dot[i] = (double)a * d[o + i];
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
#pragma omp simd
    for (int i = -rim; i < b.nx + rim; ++i) y[i] = r[i] / point_lap_coef(w->s, i, j, k).diag;
}

static void advance_plane(const struct sweep *w, int k)
{
    const struct box b = w->b;
    const int rim = w->p.c1 != 0 && k >= 0 && k < b.nz;
    if (w->p.c1 == 0 && (k < 0 || k >= b.nz)) return;
    for (int j = -rim; j < b.ny + rim; ++j) advance_row(w, j, k, rim && j >= 0 && j < b.ny);
}

static void polynomial_row(const struct sweep *w, struct blocks bl, int j, int k)
{
    const struct box b = w->b;
    const ptrdiff_t o = at(b, 0, j, k), in_plane = o - b.sz * (k + b.h);
    const real *KOL_RESTRICT y = plane_of(w, k) + in_plane,
                             *KOL_RESTRICT below = plane_of(w, k - 1) + in_plane,
                             *KOL_RESTRICT above = plane_of(w, k + 1) + in_plane, *KOL_RESTRICT r = w->r + o;
    real *KOL_RESTRICT z = w->z + o;
    double *KOL_RESTRICT dot = rows_of(bl, b, 0), *KOL_RESTRICT big = rows_of(bl, b, 1);
    const real c0 = w->p.c0, c1 = w->p.c1;
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = point_lap_coef(w->s, i, j, k);
        real value = c0 * y[i];
        if (c1 != 0) {
            value += c1 * (point_lap_neighbours(c, y[i - 1], y[i + 1], y[i - b.sy], y[i + b.sy], below[i],
                                                above[i]) /
                           c.diag);
        }
        z[i] = value;
        dot[i] = (double)value * r[i];
        big[i] = point_abs(r[i]) / c.vol;
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

static void chebyshev_row(struct box b, struct stencil s, struct blocks bl, int j, int k, real momentum,
                          real step, real y0, const real *KOL_RESTRICT r, const real *KOL_RESTRICT z,
                          const real *z_prev, real *z_next)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real zc = z[o + i], inverse = 1 / c.diag;
        const real prev = z_prev != NULL ? z_prev[o + i] : y0 * (r[o + i] * inverse);
        const real next =
            zc + momentum * (zc - prev) + step * ((r[o + i] - apply(b, s, c, z, o + i)) * inverse);
        z_next[o + i] = next;
        dot[i] = (double)next * r[o + i];
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
