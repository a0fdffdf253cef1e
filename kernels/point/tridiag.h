/* The steps of the tridiagonal sweeps of ../tridiag.h in one column. docs/numerics/direct.md. */
#ifndef KOL_POINT_TRIDIAG_H
#define KOL_POINT_TRIDIAG_H

#include "../base/types.h"

/* point_pivot: returns the inverse of a pivot. Let e be the part of the pivot beyond the coupling g to the
 * next level. Then pivot = g + e, and e of the next level is lambda w + g e / pivot. These are sums and
 * products of numbers that are not negative, so no digits are lost, however small lambda is. If the pivot
 * vanishes, the function returns 0, which makes the value 0. On return, *e is e of this level. */
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
