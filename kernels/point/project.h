/* Divergence, and the terms of the step's diagnostics, at one cell. */
#ifndef KOL_POINT_PROJECT_H
#define KOL_POINT_PROJECT_H

#include "../base/types.h"

/* point_div: divergence at ccc from the six face velocities and the inverse cell widths. [1/T] */
HD real point_div(real ul, real uh, real vl, real vh, real wl, real wh, real ix, real iy, real iz)
{
    return ((uh - ul) * ix + (vh - vl) * iy) + (wh - wl) * iz;
}

HD real point_larger(real a, real b)
{
    return a > b ? a : b;
}

HD real point_abs(real a)
{
    return a < 0 ? -a : a;
}

/* point_courant: sum over directions of the larger face speed over the cell width. [1/T] */
HD real point_courant(real ul, real uh, real vl, real vh, real wl, real wh, real ix, real iy, real iz)
{
    return (point_larger(point_abs(ul), point_abs(uh)) * ix +
            point_larger(point_abs(vl), point_abs(vh)) * iy) +
           point_larger(point_abs(wl), point_abs(wh)) * iz;
}

#endif
