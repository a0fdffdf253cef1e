/* One row of a column's tridiagonal system. */
#ifndef KOL_POINT_COLUMN_H
#define KOL_POINT_COLUMN_H

#include "../base/types.h"

/* point_column_known: what L is applied to on the right-hand side. */
HD double point_column_known(double base, double weight, double before)
{
    return base + weight * before;
}

/* point_column_flux: L q of a row. */
HD double point_column_flux(double q_below, double q, double q_above, double low, double high)
{
    return low * (q_below - q) + high * (q_above - q);
}

/* point_column_up: the elimination of a row; below: what the row below became. */
HD double point_column_up(double source, double low, double inverse, double below)
{
    return (source + low * below) * inverse;
}

/* point_column_down: the unknown of a row from that of the row above. */
HD double point_column_down(double own, double high, double inverse, double above)
{
    return own + high * inverse * above;
}

#endif
