/* The values of a cell and their products, for averages over time in every cell, for both backends. */
#ifndef KOL_POINT_CELL_AVERAGE_H
#define KOL_POINT_CELL_AVERAGE_H

#include "../cell_average.h"

/* point_cell_values: computes the values of the cell at index o of the fields. */
HD void point_cell_values(struct box b, const real *u, const real *v, const real *w, const real *p,
                          ptrdiff_t o, real value[CELL_AVERAGE_VALUES])
{
    value[X] = (real)0.5 * (u[o] + u[o + 1]);
    value[Y] = (real)0.5 * (v[o] + v[o + b.sy]);
    value[Z] = (real)0.5 * (w[o] + w[o + b.sz]);
    value[CELL_P] = p[o];
}

/* point_cell_products: computes what is added up, in the order of enum cell_average_sum. */
HD void point_cell_products(const real value[CELL_AVERAGE_VALUES], double out[CELL_AVERAGE_SUMS])
{
    const double u = value[X], v = value[Y], w = value[Z], p = value[CELL_P];
    out[CELL_U] = u;
    out[CELL_V] = v;
    out[CELL_W] = w;
    out[CELL_P] = p;
    out[CELL_UU] = u * u;
    out[CELL_VV] = v * v;
    out[CELL_WW] = w * w;
    out[CELL_UV] = u * v;
    out[CELL_UW] = u * w;
    out[CELL_VW] = v * w;
    out[CELL_PP] = p * p;
    out[CELL_UP] = u * p;
    out[CELL_VP] = v * p;
    out[CELL_WP] = w * p;
}

/* point_cell_add: does for one cell what cell_average_add() does. n: its place in arrays without a halo, of
 * which each holds `cells` values. o: its index in the fields. */
HD void point_cell_add(struct box b, const unsigned char *open, struct cell_average_weights by, const real *u,
                       const real *v, const real *w, const real *p, ptrdiff_t n, ptrdiff_t cells, ptrdiff_t o,
                       real *latest, double *sum, double *before)
{
    const int solid = open != NULL && open[o] == 0;
    real value[CELL_AVERAGE_VALUES], old[CELL_AVERAGE_VALUES];
    double now[CELL_AVERAGE_SUMS], more[CELL_AVERAGE_SUMS];
    point_cell_values(b, u, v, w, p, o, value);
    for (int q = 0; q < CELL_AVERAGE_VALUES && solid; ++q) value[q] = 0;
    point_cell_products(value, now);
    if (by.latest != 0) {
        for (int q = 0; q < CELL_AVERAGE_VALUES; ++q) old[q] = latest[q * cells + n];
        point_cell_products(old, more);
        for (int q = 0; q < CELL_AVERAGE_SUMS; ++q) before[q * cells + n] += by.latest * more[q];
    }
    for (int q = 0; q < CELL_AVERAGE_VALUES; ++q) latest[q * cells + n] = value[q];
    for (int q = 0; q < CELL_AVERAGE_SUMS; ++q) {
        const double x = by.sample * now[q];
        sum[q * cells + n] = by.fresh ? x : sum[q * cells + n] + x;
    }
}

#endif
