/* Takes a step of conjugate gradients: updates solution and residual, then preconditions the new residual. */
#include "laplace_rows.h"

/* 0: solution and residual are updated in place, because rows and planes are swept in the order of memory. */
int laplace_update_apart(void)
{
    return 0;
}

ptrdiff_t laplace_update_scratch(struct box b)
{
    return 3 * b.sz;
}

/* Computes |r| / V alone, if z is not wanted. */
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

/* sweep: does laplace_update in one sweep. For each row (j, k), it first advances x and r on row (j, k + 1),
 * including the halo cells that the polynomial reads. The value y = r / D of that row goes into a rolling
 * buffer of three planes. Then the polynomial is computed on row (j, k). */
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

ROW_LOOP advance_loop(const struct sweep *w, int j, int k, int from, int to, const int uniform, const int own,
                      const int masked)
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
        const struct lap_coef c = masked    ? coef_open(s, row, uniform, i, j, k, o)
                                  : uniform ? row
                                            : point_lap_coef(s, i, j, k);
        const real rest = r[i] - alpha * apply(b, s, c, d, i);
        r_new[i] = rest;
        y[i] = rest * (masked ? point_inverse_open(c.diag) : uniform ? row_inverse : 1 / c.diag);
        if (own) x_new[i] = x[i] + alpha * d[i];
    }
}

/* Advances the own cells of row (j, k), and one more at both ends if the polynomial reads them. */
static void advance_row(const struct sweep *w, int j, int k)
{
    const struct box b = w->b;
    const int own = k >= 0 && k < b.nz && j >= 0 && j < b.ny, ends = own && w->p.c1 != 0;
    if (!own && w->p.c1 == 0) return;
    if (w->s.open != NULL && w->s.uniform_x) {
        advance_loop(w, j, k, 0, b.nx, 1, 1, 1);
    } else if (w->s.open != NULL) {
        advance_loop(w, j, k, 0, b.nx, 0, 1, 1);
    } else if (w->s.uniform_x && own) {
        advance_loop(w, j, k, 0, b.nx, 1, 1, 0);
    } else if (w->s.uniform_x) {
        advance_loop(w, j, k, 0, b.nx, 1, 0, 0);
    } else if (own) {
        advance_loop(w, j, k, 0, b.nx, 0, 1, 0);
    } else {
        advance_loop(w, j, k, 0, b.nx, 0, 0, 0);
    }
    for (int i = -1; ends && i <= b.nx; i += b.nx + 1) advance_loop(w, j, k, i, i + 1, 0, 0, 0);
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
    if (s.open != NULL && p.c1 != 0) RAISE(KOL_ERR_INTERNAL, "laplace_update: only degree 0 with bodies");
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
