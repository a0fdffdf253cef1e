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

/* point_poisson: -V div / dts, right-hand side of the volume-weighted equation. */
HD real point_poisson(real div, real wx, real wy, real wz, real idts)
{
    return -(wx * (wy * wz)) * div * idts;
}

/* The terms that one cell adds to the sums of project_monitor, in the order of its enum: differences of velocity over the
 * distance of the points, times the volume between them; each pair of neighbours is counted at its upper point. */
struct monitor_terms {
    double energy, diss, enstrophy, mx, my, mz;
};

HD struct monitor_terms point_monitor(struct box b, struct metrics m, const real *u, const real *v,
                                      const real *w, int i, int j, int k)
{
    const ptrdiff_t q = at(b, i, j, k), sy = b.sy, sz = b.sz;
    const double xc = m.dx_c[i], xf = m.dx_f[i], ixc = m.dxi_c[i], ixf = m.dxi_f[i];
    const double yc = m.dy_c[j], yf = m.dy_f[j], iyc = m.dyi_c[j], iyf = m.dyi_f[j];
    const double zc = m.dz_c[k], zf = m.dz_f[k], izc = m.dzi_c[k], izf = m.dzi_f[k];
    const double uc = u[q], vc = v[q], wc = w[q];
    const double ux = (u[q + 1] - uc) * ixc, vy = (v[q + sy] - vc) * iyc, wz = (w[q + sz] - wc) * izc;
    const double uy = (uc - u[q - sy]) * iyf, uz = (uc - u[q - sz]) * izf;
    const double vx = (vc - v[q - 1]) * ixf, vz = (vc - v[q - sz]) * izf;
    const double wx = (wc - w[q - 1]) * ixf, wy = (wc - w[q - sy]) * iyf;
    const double vu = xf * yc * zc, vv = xc * yf * zc, vw = xc * yc * zf;
    const double ex = xc * yf * zf, ey = xf * yc * zf, ez = xf * yf * zc, vol = xc * yc * zc;
    struct monitor_terms t;
    t.energy = 0.5 * (vu * uc * uc + vv * vc * vc + vw * wc * wc);
    t.diss = vol * (ux * ux + vy * vy + wz * wz) +
             (ez * (uy * uy + vx * vx) + ey * (uz * uz + wx * wx) + ex * (vz * vz + wy * wy));
    t.enstrophy =
        0.5 * (ex * (wy - vz) * (wy - vz) + ey * (uz - wx) * (uz - wx) + ez * (vx - uy) * (vx - uy));
    t.mx = vu * uc;
    t.my = vv * vc;
    t.mz = vw * wc;
    return t;
}

#endif
