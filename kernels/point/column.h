/* One row of a column's tridiagonal system. */
#ifndef KOL_POINT_COLUMN_H
#define KOL_POINT_COLUMN_H

#include "../base/types.h"

/* point_column_up: right-hand side u + L q of a row, and its elimination; below: what the row below became. */
HD double point_column_up(double u, double q_below, double q, double q_above, double low, double high,
                          double inverse, double below)
{
    const double source = u + (low * (q_below - q) + high * (q_above - q));
    return (source + low * below) * inverse;
}

/* point_column_down: the unknown of a row from that of the row above. */
HD double point_column_down(double own, double high, double inverse, double above)
{
    return own + high * inverse * above;
}

/* point_column_known: base - 2 before, what L is applied to on the right-hand side. */
HD double point_column_known(double base, double before)
{
    return base - 2 * before;
}

#endif
