/* The terms of the sums of a scalar over a periodic box, at one cell, for both backends. */
#ifndef KOL_POINT_SCALAR_MOMENTS_H
#define KOL_POINT_SCALAR_MOMENTS_H

#include "../scalar_moments.h"
#include "moments.h"

/* scalar_along: one direction of a cell: the values beside the cell, the velocities through its two faces,
 * the spacings, and the area of the faces. */
struct scalar_along {
    double low, high, wind, wind_high, area;
    struct moment_spacings s;
};

HD struct scalar_along scalar_along_make(const real *vel, const real *theta, ptrdiff_t o, ptrdiff_t stride,
                                         struct moment_spacings s, double area)
{
    struct scalar_along a;
    a.low = theta[o - stride];
    a.high = theta[o + stride];
    a.wind = vel[o];
    a.wind_high = vel[o + stride];
    a.area = area;
    a.s = s;
    return a;
}

/* point_scalar_moments: puts the terms of a group at the cell with index o into t[sum * stride], the first
 * of the group at 0. */
HD void point_scalar_moments(int group, struct box b, const real *u, const real *v, const real *w,
                             const real *theta, ptrdiff_t o, struct moment_spacings x,
                             struct moment_spacings y, struct moment_spacings z, double *KOL_RESTRICT t,
                             ptrdiff_t stride)
{
    const double c = theta[o], volume = x.c * y.c * z.c;
    const struct scalar_along a[3] = {scalar_along_make(u, theta, o, 1, x, y.c * z.c),
                                      scalar_along_make(v, theta, o, b.sy, y, x.c * z.c),
                                      scalar_along_make(w, theta, o, b.sz, z, x.c * y.c)};
    if (group == 0) {
        t[THETA_MOMENT_T * stride] = volume * c;
        t[THETA_MOMENT_TT * stride] = volume * (c * c);
        t[THETA_MOMENT_TTT * stride] = volume * (c * c) * c;
        t[THETA_MOMENT_TTTT * stride] = volume * (c * c) * (c * c);
    }
    for (int d = 0; d < 3; ++d) {
        const double at_face = a[d].area * a[d].s.f, slope = (c - a[d].low) * a[d].s.inv_f,
                     next = (a[d].high - c) * a[d].s.inv_f_high, square = slope * slope;
        if (group == 0) {
            const double below = 2 * a[d].s.f - a[d].s.c; /* width of the cell below */
            t[(THETA_MOMENT_FLUX + d) * stride] =
                a[d].area * a[d].wind * 0.5 * (below * a[d].low + a[d].s.c * c);
            t[(THETA_MOMENT_GRADIENT_2 + d) * stride] = at_face * square;
        } else {
            const double strain = (a[d].wind_high - a[d].wind) * a[d].s.inv_c;
            t[(THETA_MOMENT_GRADIENT_3 - THETA_MOMENT_FIRST + d) * stride] = at_face * square * slope;
            t[(THETA_MOMENT_GRADIENT_4 - THETA_MOMENT_FIRST + d) * stride] = at_face * square * square;
            t[(THETA_MOMENT_MIXED - THETA_MOMENT_FIRST + d) * stride] =
                volume * strain * 0.5 * (square + next * next);
        }
    }
}

#endif
