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

/* Each sum is that of the product of two values. The second factor of the first four is 1, which is kept
 * as a value behind all others, and so is that of the mean of a scalar. point_cell_first, _second: the
 * places of the factors of sum q. */
enum { CELL_ONE = CELL_AVERAGE_VALUES + CELL_SCALARS_MOST, CELL_FACTORS };

/* point_cell_scalar: returns the value that is scalar n. */
HD int point_cell_scalar(int n)
{
    return CELL_AVERAGE_VALUES + n;
}

HD int point_cell_first(int q)
{
    const int r = q - CELL_AVERAGE_SUMS, of = r % CELL_SCALAR_SUMS;
    if (r >= 0) return of < CELL_UT ? point_cell_scalar(r / CELL_SCALAR_SUMS) : of - CELL_UT;
    return q < CELL_UU    ? q
           : q <= CELL_WW ? q - CELL_UU
           : q <= CELL_UW ? X
           : q == CELL_VW ? Y
           : q == CELL_PP ? (int)CELL_P
                          : q - CELL_UP;
}

HD int point_cell_second(int q)
{
    const int r = q - CELL_AVERAGE_SUMS;
    if (r >= 0)
        return r % CELL_SCALAR_SUMS == CELL_T ? (int)CELL_ONE : point_cell_scalar(r / CELL_SCALAR_SUMS);
    return q < CELL_UU    ? (int)CELL_ONE
           : q <= CELL_WW ? q - CELL_UU
           : q == CELL_UV ? Y
           : q <= CELL_VW ? Z
                          : (int)CELL_P;
}

/* point_cell_solid: returns whether the cell at index o of the fields has no open face. */
HD int point_cell_solid(const unsigned char *open, ptrdiff_t o)
{
    return open != NULL && open[o] == 0;
}

/* point_cell_sum: returns the old value of a sum with a weighted product added to it. If it is fresh, the old
 * value does not count. */
HD double point_cell_sum(double old, int fresh, double weight, double first, double second)
{
    const double x = weight * (first * second);
    return fresh ? x : old + x;
}

#endif
