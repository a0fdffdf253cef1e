/* One row of the tridiagonal system of a column. */
#ifndef KOL_POINT_COLUMN_DIFFUSION_H
#define KOL_POINT_COLUMN_DIFFUSION_H

#include "../column_diffusion.h"

/* point_column_known: returns the field to which L is applied on the right-hand side. */
HD double point_column_known(double base, double weight, double before)
{
    return base + weight * before;
}

/* point_column_flux: returns L q of a row. */
HD double point_column_flux(double q_below, double q, double q_above, double low, double high)
{
    return low * (q_below - q) + high * (q_above - q);
}

/* point_column_up: eliminates a row. below: the result of this function for the row below. */
HD double point_column_up(double source, double low, double inverse, double below)
{
    return (source + low * below) * inverse;
}

/* point_column_down: returns the unknown of a row. It needs the unknown of the row above. */
HD double point_column_down(double own, double high, double inverse, double above)
{
    return own + high * inverse * above;
}

/* point_column_open: does column_open at one place of the plane. */
HD void point_column_open(struct box b, struct columns c, int side, const double part[3], const real *plane,
                          int i, int j, real *const vel[3])
{
    for (int d = 0; d < 3; ++d) {
        const int first = d == Z ? 1 : 0;
        const double *const low = d == Z ? c.face : c.centre, *const high = low + c.n;
        const double coefficient = side == 0 ? low[first] : high[c.n - 1];
        real *const x = vel[d] + at(b, i, j, side == 0 ? first : b.nz - 1);
        *x = (real)(*x + coefficient * part[d] * plane[plane_at(b, Z, d, i, j)]);
    }
}

/* point_column_given: does column_given at one place of the plane. */
HD void point_column_given(struct box b, struct columns c, int side, const real *plane, int i, int j,
                           real *field)
{
    const double *const low = c.centre, *const high = low + c.n;
    const double coefficient = side == 0 ? low[0] : high[c.n - 1];
    real *const x = field + at(b, i, j, side == 0 ? 0 : b.nz - 1);
    *x = (real)(*x + coefficient * plane[plane_at(b, Z, 0, i, j)]);
}

#endif
