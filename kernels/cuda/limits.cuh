/* What a cell contributes to the limits of a step. The files that use this do not fuse multiplications and
 * additions, so that all of them give the same bits. */
#ifndef KOL_CUDA_LIMITS_CUH
#define KOL_CUDA_LIMITS_CUH

#include "../point/projection.h"
#include "../projection.h"
#include "reduce.cuh"

/* largest_add: raises the three maxima of a cell: divergence, Courant number over dt, speed. */
__device__ __forceinline__ void largest_add(real ul, real uh, real vl, real vh, real wl, real wh,
                                            struct monitor_spacings x, struct monitor_spacings y,
                                            struct monitor_spacings z, double *most)
{
    const real ix = (real)x.inv_c, iy = (real)y.inv_c, iz = (real)z.inv_c;
    const real div = point_div(ul, uh, vl, vh, wl, wh, ix, iy, iz);
    const real speed = point_larger(point_larger(point_abs(ul), point_abs(vl)), point_abs(wl));
    most[MON_DIV - MON_SUMS] = sum_larger(point_abs(div), most[MON_DIV - MON_SUMS]);
    most[MON_COURANT - MON_SUMS] =
        sum_larger(point_courant(ul, uh, vl, vh, wl, wh, ix, iy, iz), most[MON_COURANT - MON_SUMS]);
    most[MON_SPEED - MON_SUMS] = sum_larger(speed, most[MON_SPEED - MON_SUMS]);
}

/* limits_add: adds the terms of one cell to part, in the order of project_limits(). */
__device__ __forceinline__ void limits_add(real ul, real uh, real vl, real vh, real wl, real wh,
                                           struct monitor_spacings x, struct monitor_spacings y,
                                           struct monitor_spacings z, double *part)
{
    const struct motion_terms add = point_motion_terms(ul, vl, wl, x, y, z);
    part[LIM_ENERGY] += add.energy;
    part[LIM_MOM_X] += add.mx;
    part[LIM_MOM_Y] += add.my;
    part[LIM_MOM_Z] += add.mz;
    largest_add(ul, uh, vl, vh, wl, wh, x, y, z, part + LIM_SUMS);
}

#endif
