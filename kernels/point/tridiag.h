/* The steps of the tridiagonal sweeps of ../tridiag.h for one column. docs/numerics/direct.md. */
#ifndef KOL_POINT_TRIDIAG_H
#define KOL_POINT_TRIDIAG_H

#include "../base/types.h"

/* With e the part of a pivot beyond the coupling g to the next level, pivot = g + e and the next level's e is
 * lambda w + g e / pivot: sums and products of what is not negative, so no digits are lost, however small
 * lambda is. point_pivot: the inverse of the pivot; 0, the value is pinned, where it vanishes. *e: of this
 * level on return. */
HD double point_pivot(double *e, double g_low, double pivot_low, double lambda_w, double g_high)
{
    *e = lambda_w + g_low * (*e * pivot_low);
    const double pivot = g_high + *e;
    return pivot > 0 ? 1 / pivot : 0;
}

HD double point_tridiag_up(double value, double g_low, double below, double pivot)
{
    return (value + g_low * below) * pivot;
}

HD double point_tridiag_down(double value, double g_high, double above, double pivot)
{
    return value + (g_high * pivot) * above;
}

HD double point_inverse_sum(double a, double b, double c, double scale)
{
    const double sum = a + b + c;
    return sum > 0 ? scale / sum : 0;
}

#endif
