/* The values of a cell and their products, for averages over time in every cell, for both backends. */
#ifndef KOL_POINT_CELL_AVERAGE_H
#define KOL_POINT_CELL_AVERAGE_H

#include "../cell_average.h"

/* point_cell_edges: returns the mean square of the gradient of a velocity component along another direction,
 * over the four edges around the centre of the cell at index o.
 *
 *   q           the component
 *   own, along  strides in the direction of the component, and in the direction of the gradient
 *   low, high   inverse distances from the centre of the cell to those of its neighbours along the gradient
 */
HD real point_cell_edges(const real *q, ptrdiff_t o, ptrdiff_t own, ptrdiff_t along, real low, real high)
{
    const real a = (q[o] - q[o - along]) * low, b = (q[o + along] - q[o]) * high,
               c = (q[o + own] - q[o + own - along]) * low, d = (q[o + own + along] - q[o + own]) * high;
    return (real)0.25 * ((a * a + b * b) + (c * c + d * d));
}

/* CELL_EPSILON: the place of the dissipation among the values; that of its sum is CELL_DISSIPATION. */
enum { CELL_EPSILON = CELL_P + 1 };

/* point_cell_dissipation: computes the dissipation in cell (i, j, k), at index o of the fields. */
HD real point_cell_dissipation(struct box b, struct metrics m, real nu, const real *u, const real *v,
                               const real *w, ptrdiff_t o, int i, int j, int k)
{
    const real x0 = m.dxi_f[i], x1 = m.dxi_f[i + 1], y0 = m.dyi_f[j], y1 = m.dyi_f[j + 1], z0 = m.dzi_f[k],
               z1 = m.dzi_f[k + 1];
    const real ux = (u[o + 1] - u[o]) * m.dxi_c[i], vy = (v[o + b.sy] - v[o]) * m.dyi_c[j],
               wz = (w[o + b.sz] - w[o]) * m.dzi_c[k];
    const real uy = point_cell_edges(u, o, 1, b.sy, y0, y1), uz = point_cell_edges(u, o, 1, b.sz, z0, z1),
               vx = point_cell_edges(v, o, b.sy, 1, x0, x1), vz = point_cell_edges(v, o, b.sy, b.sz, z0, z1),
               wx = point_cell_edges(w, o, b.sz, 1, x0, x1), wy = point_cell_edges(w, o, b.sz, b.sy, y0, y1);
    return nu * ((ux * ux + uy + uz) + (vx + vy * vy + vz) + (wx + wy + wz * wz));
}

/* point_cell_values: computes the values of cell (i, j, k), at index o of the fields. */
HD void point_cell_values(struct box b, struct metrics m, real nu, const real *u, const real *v,
                          const real *w, const real *p, ptrdiff_t o, int i, int j, int k,
                          real value[CELL_AVERAGE_VALUES])
{
    value[X] = (real)0.5 * (u[o] + u[o + 1]);
    value[Y] = (real)0.5 * (v[o] + v[o + b.sy]);
    value[Z] = (real)0.5 * (w[o] + w[o + b.sz]);
    value[CELL_P] = p[o];
    value[CELL_EPSILON] = point_cell_dissipation(b, m, nu, u, v, w, o, i, j, k);
}

/* Each sum is one of products of two values. Where only one value is summed, the second factor is 1, which is
 * stored as a value behind all others. point_cell_first, point_cell_second: return the places of the factors
 * of sum q. */
enum { CELL_ONE = CELL_AVERAGE_VALUES + CELL_SCALARS_MOST + 1, CELL_FACTORS };

/* point_cell_scalar: returns the place of scalar n among the values. With n the number of scalars it is the
 * place of the value 1 or 0 of cells that turn; as the first sum of a scalar, its sum has the factor 1. */
HD int point_cell_scalar(int n)
{
    return CELL_AVERAGE_VALUES + n;
}

HD int point_cell_first(int q)
{
    const int r = q - CELL_AVERAGE_SUMS, of = r % CELL_SCALAR_SUMS;
    if (r >= 0) return of < CELL_UT ? point_cell_scalar(r / CELL_SCALAR_SUMS) : of - CELL_UT;
    return q < CELL_UU             ? q
           : q == CELL_DISSIPATION ? (int)CELL_EPSILON
           : q <= CELL_WW          ? q - CELL_UU
           : q <= CELL_UW          ? X
           : q == CELL_VW          ? Y
           : q == CELL_PP          ? (int)CELL_P
                                   : q - CELL_UP;
}

HD int point_cell_second(int q)
{
    const int r = q - CELL_AVERAGE_SUMS;
    if (r >= 0)
        return r % CELL_SCALAR_SUMS == CELL_T ? (int)CELL_ONE : point_cell_scalar(r / CELL_SCALAR_SUMS);
    return q < CELL_UU || q == CELL_DISSIPATION ? (int)CELL_ONE
           : q <= CELL_WW                       ? q - CELL_UU
           : q == CELL_UV                       ? Y
           : q <= CELL_VW                       ? Z
                                                : (int)CELL_P;
}

/* point_cell_solid: returns whether the cell at index o of the fields has no open face. */
HD int point_cell_solid(const unsigned char *open, ptrdiff_t o)
{
    return open != NULL && open[o] == 0;
}

/* point_cell_sum: returns a sum with one more weighted product. If the sum is fresh, its old value does not
 * count. */
HD double point_cell_sum(double old, int fresh, double weight, double first, double second)
{
    const double x = weight * (first * second);
    return fresh ? x : old + x;
}

#endif
