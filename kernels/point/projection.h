/* Divergence at one cell, and the terms of the diagnostics of a step. */
#ifndef KOL_POINT_PROJECTION_H
#define KOL_POINT_PROJECTION_H

#include "../wall.h"

/* point_div: returns the divergence at ccc [1/T], from the six face velocities and the inverse cell widths.
 */
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

/* point_courant: returns the sum over the three directions of the larger face speed divided by the cell width
 * [1/T]. */
HD real point_courant(real ul, real uh, real vl, real vh, real wl, real wh, real ix, real iy, real iz)
{
    return (point_larger(point_abs(ul), point_abs(uh)) * ix +
            point_larger(point_abs(vl), point_abs(vh)) * iy) +
           point_larger(point_abs(wl), point_abs(wh)) * iz;
}

/* point_poisson: returns -V div / dts, the right-hand side of the volume-weighted equation. */
HD real point_poisson(real div, real wx, real wy, real wz, real idts)
{
    return -(wx * (wy * wz)) * div * idts;
}

/* monitor_spacings: the spacings along one direction. c is the width of the cell, f the distance of centres
 * at its low face; the others are inverses. */
struct monitor_spacings {
    double c, f, inv_c, inv_f, e; /* e: like dx_e of the metrics */
};

/* motion_terms: what the three velocities on the low faces of a cell contribute to energy and momentum. */
struct motion_terms {
    double energy, mx, my, mz;
};
HD struct motion_terms point_motion_terms(double u, double v, double w, struct monitor_spacings x,
                                          struct monitor_spacings y, struct monitor_spacings z)
{
    const double vu = x.f * y.c * z.c, vv = x.c * y.f * z.c, vw = x.c * y.c * z.f;
    struct motion_terms t;
    t.energy = 0.5 * (vu * u * u + vv * v * v + vw * w * w);
    t.mx = vu * u;
    t.my = vv * v;
    t.mz = vw * w;
    return t;
}

/* monitor_terms: what one cell contributes to the sums of project_monitor, in the order of its enum.
 * Differences of velocity are divided by the distance of their points and multiplied by the volume between
 * them. Each pair of neighbours is counted at its upper point. */
struct monitor_terms {
    double energy, diss, enstrophy, mx, my, mz;
};
/* monitor_values: the velocities of the cell and their neighbours; l and h stand for low and high. */
struct monitor_values {
    double u, u_xh, u_yl, u_zl;
    double v, v_xl, v_yh, v_zl;
    double w, w_xl, w_yl, w_zh;
};

HD struct monitor_terms point_monitor_terms(struct monitor_values a, struct monitor_spacings x,
                                            struct monitor_spacings y, struct monitor_spacings z)
{
    const double ux = (a.u_xh - a.u) * x.inv_c, vy = (a.v_yh - a.v) * y.inv_c, wz = (a.w_zh - a.w) * z.inv_c;
    const double uy = (a.u - a.u_yl) * y.inv_f, uz = (a.u - a.u_zl) * z.inv_f;
    const double vx = (a.v - a.v_xl) * x.inv_f, vz = (a.v - a.v_zl) * z.inv_f;
    const double wx = (a.w - a.w_xl) * x.inv_f, wy = (a.w - a.w_yl) * y.inv_f;
    const struct motion_terms motion = point_motion_terms(a.u, a.v, a.w, x, y, z);
    const double ex = x.c * y.e * z.e, ey = x.e * y.c * z.e, ez = x.e * y.e * z.c, vol = x.c * y.c * z.c;
    struct monitor_terms t;
    t.energy = motion.energy;
    t.diss = vol * (ux * ux + vy * vy + wz * wz) +
             (ez * (uy * uy + vx * vx) + ey * (uz * uz + wx * wx) + ex * (vz * vz + wy * wy));
    t.enstrophy =
        0.5 * (ex * (wy - vz) * (wy - vz) + ey * (uz - wx) * (uz - wx) + ez * (vx - uy) * (vx - uy));
    t.mx = motion.mx;
    t.my = motion.my;
    t.mz = motion.mz;
    return t;
}

HD struct monitor_spacings point_monitor_x(struct metrics m, int i)
{
    const struct monitor_spacings s = {m.dx_c[i], m.dx_f[i], m.dxi_c[i], m.dxi_f[i], m.dx_e[i]};
    return s;
}

HD struct monitor_spacings point_monitor_y(struct metrics m, int j)
{
    const struct monitor_spacings s = {m.dy_c[j], m.dy_f[j], m.dyi_c[j], m.dyi_f[j], m.dy_e[j]};
    return s;
}

HD struct monitor_spacings point_monitor_z(struct metrics m, int k)
{
    const struct monitor_spacings s = {m.dz_c[k], m.dz_f[k], m.dzi_c[k], m.dzi_f[k], m.dz_e[k]};
    return s;
}

HD struct monitor_terms point_monitor(struct box b, struct metrics m, const real *u, const real *v,
                                      const real *w, int i, int j, int k)
{
    const ptrdiff_t q = at(b, i, j, k), sy = b.sy, sz = b.sz;
    const struct monitor_values a = {u[q],      u[q + 1],  u[q - sy], u[q - sz], v[q],      v[q - 1],
                                     v[q + sy], v[q - sz], w[q],      w[q - 1],  w[q - sy], w[q + sz]};
    return point_monitor_terms(a, point_monitor_x(m, i), point_monitor_y(m, j), point_monitor_z(m, k));
}

/* point_at_wall: returns whether the cell lies beside a wall. */
HD int point_at_wall(struct box b, struct walls w, int i, int j, int k)
{
    return w.faces != 0 && (((w.faces & 1u) && i == 0) || ((w.faces & 2u) && i == b.nx - 1) ||
                            ((w.faces & 4u) && j == 0) || ((w.faces & 8u) && j == b.ny - 1) ||
                            ((w.faces & 16u) && k == 0) || ((w.faces & 32u) && k == b.nz - 1));
}

/* point_monitor_walls: computes what a cell beside walls adds to its terms:
 *
 *   - the gradients on upper walls, which are not the lower face of any cell;
 *   - the work of moving walls;
 *   - beside an open face, the points on this face, with the half of their volume that lies in the box. There
 *   is no dissipation between two such points, because their velocities are given. */
struct wall_terms {
    double energy, diss, enstrophy, momentum[3], work;
};
struct wall_metrics {
    const real *c[3], *f[3], *e[3], *inv_c[3], *inv_f[3];
};
HD struct wall_metrics point_wall_metrics(struct metrics m)
{
    const struct wall_metrics w = {{m.dx_c, m.dy_c, m.dz_c},
                                   {m.dx_f, m.dy_f, m.dz_f},
                                   {m.dx_e, m.dy_e, m.dz_e},
                                   {m.dxi_c, m.dyi_c, m.dzi_c},
                                   {m.dxi_f, m.dyi_f, m.dzi_f}};
    return w;
}

/* point_monitor_open: adds the points on the open face of direction d, side `high`, beside cell q. at_cell:
 * indices of the cell. */
HD void point_monitor_open(struct wall_metrics m, const real *normal, const ptrdiff_t stride[3], ptrdiff_t q,
                           const int at_cell[3], int d, int high, struct wall_terms *t)
{
    const int a = d == X ? Y : X, o = d == Z ? Y : Z, face = at_cell[d] + high;
    const ptrdiff_t on = q + high * stride[d], in = q + (1 - high) * stride[d];
    const double area = (double)m.c[a][at_cell[a]] * m.c[o][at_cell[o]], u = normal[on];
    const double part = high ? m.e[d][face] : m.e[d][face] - (double)m.f[d][face];
    t->energy += 0.5 * part * area * u * u;
    t->momentum[d] += part * area * u;
    t->work += area * u * (u - normal[in]) * m.inv_c[d][at_cell[d]];
    for (int n = 0; n < 2 && !high; ++n) {
        const int along = n == 0 ? a : o, across = n == 0 ? o : a;
        const double gradient = (u - (double)normal[q - stride[along]]) * m.inv_f[along][at_cell[along]];
        t->diss -= (double)m.e[d][0] * m.e[along][at_cell[along]] * m.c[across][at_cell[across]] * gradient *
                   gradient;
    }
}

HD struct wall_terms point_monitor_walls(struct box b, struct metrics m, struct walls walls, const real *u,
                                         const real *v, const real *w, int i, int j, int k)
{
    const real *const vel[3] = {u, v, w};
    const struct wall_metrics s = point_wall_metrics(m);
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, q = at(b, i, j, k);
    const int at_cell[3] = {i, j, k}, n[3] = {b.nx, b.ny, b.nz};
    struct wall_terms t = {0, 0, 0, {0, 0, 0}, 0};
    for (int f = 0; f < FACES; ++f) {
        const int d = f / 2, high = f % 2, face = high ? n[d] : 0, open = (int)(walls.open >> f & 1u);
        if (!(walls.faces >> f & 1u) || at_cell[d] != (high ? n[d] - 1 : 0)) continue;
        for (int a = 0; a < 3; ++a) {
            if (a == d) continue;
            const int o = 3 - a - d; /* the third direction */
            const double area = (double)s.e[a][at_cell[a]] * s.c[o][at_cell[o]];
            const double beyond = vel[a][high ? q + stride[d] : q - stride[d]], inside = vel[a][q];
            const double gradient = (beyond - inside) * s.inv_f[d][face];
            const double part = high ? area * s.e[d][face] : 0;
            /* along a wall the velocity through it doesn't change */
            const double across = open && high
                                      ? ((double)vel[d][q + stride[d]] - vel[d][q + stride[d] - stride[a]]) *
                                            s.inv_f[a][at_cell[a]]
                                      : 0;
            t.diss += part * gradient * gradient;
            t.enstrophy += 0.5 * part * (gradient - across) * (gradient - across);
            t.work +=
                area *
                (open || walls.plane[f] != NULL ? 0.5 * (beyond + inside) : (double)walls.velocity[f][a]) *
                gradient;
        }
        if (open) point_monitor_open(s, vel[d], stride, q, at_cell, d, high, &t);
    }
    return t;
}

#endif
