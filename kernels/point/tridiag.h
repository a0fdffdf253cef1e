/* The steps of the tridiagonal sweeps of ../tridiag.h in one column. docs/numerics/direct.md. */
#ifndef KOL_POINT_TRIDIAG_H
#define KOL_POINT_TRIDIAG_H

#include "../base/types.h"

/* point_pivot: returns the inverse of the pivot of a level. A pivot is written as g + e, where g is the
 * coupling to the next level. Elimination gives e of the next level as lambda w + g e / pivot. All of these
 * numbers are at least 0, so no digits are lost in the sums, however small lambda is. *e is e of the level
 * below on entry, and e of this level on return. If the pivot is 0, the function returns 0, and so the
 * solution of this level becomes 0. */
HD double point_pivot(double *e, double g_low, double pivot_low, double lambda_w, double g_high)
{
    *e = lambda_w + g_low * (*e * pivot_low);
    const double pivot = g_high + *e;
    return pivot > 0 ? 1 / pivot : 0;
}

/* point_tridiag_up, point_tridiag_down: return the value of a level, from that of the level below or above.
 * Those that end in _single do the same in single precision. */
#define POINT_TRIDIAG_SWEEPS(T, ENDING)                                                                      \
    HD T point_tridiag_up##ENDING(T value, T g_low, T below, T pivot)                                        \
    {                                                                                                        \
        return (value + g_low * below) * pivot;                                                              \
    }                                                                                                        \
                                                                                                             \
    HD T point_tridiag_down##ENDING(T value, T g_high, T above, T pivot)                                     \
    {                                                                                                        \
        return value + (g_high * pivot) * above;                                                             \
    }

POINT_TRIDIAG_SWEEPS(double, )
POINT_TRIDIAG_SWEEPS(float, _single)

HD double point_inverse_sum(double a, double b, double c, double scale)
{
    const double sum = a + b + c;
    return sum > 0 ? scale / sum : 0;
}

#endif
