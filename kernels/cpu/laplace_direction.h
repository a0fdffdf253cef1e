/* Rows of the search direction and of its product with the operator, for laplace_direction.c,
 * laplace_energy.c and laplace_advance.c. */
#ifndef KOL_CPU_LAPLACE_DIRECTION_H
#define KOL_CPU_LAPLACE_DIRECTION_H

#include "laplace_rows.h"

/* combine: computes d_new = z + beta d on columns from .. to - 1 of row (j, k). */
static inline void combine(struct box b, int j, int k, int from, int to, real beta,
                           const real *KOL_RESTRICT z, const real *KOL_RESTRICT d, real *KOL_RESTRICT d_new)
{
    const ptrdiff_t o = at(b, 0, j, k);
    if (beta == 0) {
        for (int i = from; i < to; ++i) d_new[o + i] = z[o + i];
    } else {
        for (int i = from; i < to; ++i) d_new[o + i] = z[o + i] + beta * d[o + i];
    }
}

/* direction_row: computes the new direction on row (j, k), and beyond its ends as far as the operator reads
 * it. This includes the first halo layer. laplace_direction_halo writes the same values there, but only
 * later. */
static inline void direction_row(struct box b, int j, int k, real beta, const real *z, const real *d,
                                 real *d_new)
{
    const int rim = j >= 0 && j < b.ny && k >= 0 && k < b.nz;
    combine(b, j, k, -rim, b.nx + rim, beta, z, d, d_new);
}

ROW_LOOP product_loop(struct box b, struct stencil s, struct blocks bl, int j, int k,
                      const real *KOL_RESTRICT d, const int uniform, const int masked)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT dot = rows_of(bl, b, 0);
    const struct lap_coef row = point_lap_coef(s, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) {
        const struct lap_coef c = masked    ? coef_open(s, row, uniform, i, j, k, o)
                                  : uniform ? row
                                            : point_lap_coef(s, i, j, k);
        const real a = apply(b, s, c, d, o + i);
        dot[i] = (double)a * d[o + i];
    }
}

static inline void product_row(struct box b, struct stencil s, struct blocks bl, int j, int k, const real *d)
{
    if (s.open != NULL && s.uniform_x) {
        product_loop(b, s, bl, j, k, d, 1, 1);
    } else if (s.open != NULL) {
        product_loop(b, s, bl, j, k, d, 0, 1);
    } else if (s.uniform_x) {
        product_loop(b, s, bl, j, k, d, 1, 0);
    } else {
        product_loop(b, s, bl, j, k, d, 0, 0);
    }
}

/* Row (j, k + 1) of the new direction is computed just before the operator needs it on row (j, k), while it
 * is in cache. direction_lead: computes the rows that are needed before the first row. direction_sides:
 * computes those that are needed before plane k. */
static inline void direction_lead(struct box b, real beta, const real *z, const real *d, real *d_new)
{
    for (int j = 0; j < b.ny; ++j) direction_row(b, j, -1, beta, z, d, d_new);
    for (int j = -1; j <= b.ny; ++j) direction_row(b, j, 0, beta, z, d, d_new);
}

static inline void direction_sides(struct box b, int k, real beta, const real *z, const real *d, real *d_new)
{
    if (k + 1 == b.nz) return;
    direction_row(b, -1, k + 1, beta, z, d, d_new);
    direction_row(b, b.ny, k + 1, beta, z, d, d_new);
}

#endif
