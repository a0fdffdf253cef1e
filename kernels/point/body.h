/* One face beside a body, for both backends. */
#ifndef KOL_POINT_BODY_H
#define KOL_POINT_BODY_H

#include "../body.h"
#include "momentum.h"

/* Bits of the low faces of a cell in the mask, by component. */
HD int point_body_open(unsigned char mask, int d)
{
    return mask >> (2 * d) & 1;
}

/* body_cell: local indices of the cell whose low face is the point. */
struct body_cell {
    int i[3];
};

HD struct body_cell point_body_cell(struct box b, ptrdiff_t at_field)
{
    /* counted from the first halo cell, so that no quotient is negative */
    const ptrdiff_t o = at_field - b.start + b.h * (1 + b.sy + b.sz);
    struct body_cell c;
    c.i[Z] = (int)(o / b.sz);
    const ptrdiff_t left = o - c.i[Z] * b.sz;
    c.i[Y] = (int)(left / b.sy);
    c.i[X] = (int)(left - c.i[Y] * b.sy);
    for (int d = 0; d < 3; ++d) c.i[d] -= b.h;
    return c;
}

/* point_body_mirror: returns c of struct body_point for a side of a face of component d [1/T]. */
HD real point_body_mirror(struct metrics m, struct body_cell c, int d, int side, real nu)
{
    const real *const centre[3] = {m.dxi_c, m.dyi_c, m.dzi_c}, *const face[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    const int e = side / 2, high = side % 2, i = c.i[e];
    const real width = e == d ? face[e][i] : centre[e][i];
    const real distance = e == d ? centre[e][i - 1 + high] : face[e][i + high];
    return nu * width * (2 * width - distance);
}

/* point_body_away: returns the side, -1 or 1, of the open neighbour along e, if the other one is closed. */
HD int point_body_away(struct body_point a, int e)
{
    return a.closed >> (2 * e) & 1 ? 1 : -1;
}

/* point_body_extra: returns the explicit part of the viscous term [U/T]. */
HD real point_body_extra(struct box b, struct metrics m, struct body_points p, int n, int d, real nu,
                         const real *u)
{
    const struct body_point a = p.point[n];
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    real sum = p.wall != NULL ? -p.wall[2 * n + 1] : 0;
    for (int e = 0; e < 3; ++e)
        if (a.half[e] != 0) sum += (real)a.half[e] * u[a.at + point_body_away(a, e) * stride[e]];
    if (a.mirror == 0) return sum;
    const struct body_cell c = point_body_cell(b, a.at);
    for (int side = 0; side < 6; ++side)
        if (a.mirror >> side & 1) sum -= point_body_mirror(m, c, d, side, nu) * u[a.at];
    return sum;
}

HD real point_body_wall(struct body_points p, int n)
{
    return p.wall != NULL ? p.wall[2 * n] : 0;
}

/* point_body_beta: returns the weight of the new velocity in the drag. z <= 2: the trapezoidal rule. */
HD real point_body_beta(real z)
{
    return z <= 2 ? (real)0.5 : 1 - 1 / z;
}

/* point_body_rate: returns the right-hand side of point n with the viscous term beside the wall [U/T]. rate:
 * without it. */
HD real point_body_rate(struct box b, struct metrics m, struct body_points p, int n, int d, real nu, real dt,
                        const real *u, real rate)
{
    const struct body_point a = p.point[n];
    const real z = dt * (real)a.drag, extra = point_body_extra(b, m, p, n, d, nu, u);
    const real all = rate + extra - (real)a.drag * (u[a.at] - point_body_wall(p, n));
    return z > 2 ? all * (2 / z) : all;
}

/* point_body_left: returns the part that the drag leaves of a force. */
HD real point_body_left(struct body_point a, real dts)
{
    const real z = dts * (real)a.drag;
    return 1 / (1 + point_body_beta(z) * z);
}

HD real point_body_drag(struct body_points p, int n, real dts, real u)
{
    const real z = dts * (real)p.point[n].drag, beta = point_body_beta(z), wall = point_body_wall(p, n);
    const real after = (u - (1 - beta) * z * (p.base[n] - wall) + beta * z * wall) / (1 + beta * z);
    return p.lead != NULL ? after - p.lead[n] : after;
}

/* point_body_after: returns the velocity on which the drag of point n acts, from that which body_drag() has
 * left. */
HD real point_body_after(struct body_points p, int n, real u)
{
    return p.lead != NULL ? u + p.lead[n] : u;
}

/* point_body_volume: returns the volume of a face of component d [L^3]. */
HD double point_body_volume(struct metrics m, struct body_cell c, int d)
{
    const double x = d == X ? m.dx_f[c.i[X]] : m.dx_c[c.i[X]], y = d == Y ? m.dy_f[c.i[Y]] : m.dy_c[c.i[Y]],
                 z = d == Z ? m.dz_f[c.i[Z]] : m.dz_c[c.i[Z]];
    return x * y * z;
}

HD double point_body_response(struct box b, struct metrics m, struct body_points p, int n, int d, real dts,
                              const real *gradient)
{
    const struct body_point a = p.point[n];
    const double volume = point_body_volume(m, point_body_cell(b, a.at), d);
    return volume * (1 - (double)gradient[n]) * (1 - (double)point_body_left(a, dts));
}

/* body_link_place: the metrics of a link: inverse width of the volume along the link, inverse distance of its
 * two points, and the volume. */
struct body_link_place {
    struct momentum_values a;
    struct momentum_spacings s;
    double volume;
    int e, high; /* direction and side of the link */
};

HD struct body_link_place point_link_place(struct box b, struct metrics m, ptrdiff_t at_field, int d,
                                           int side, const real *u, const real *v, const real *w)
{
    const struct body_cell c = point_body_cell(b, at_field);
    const int i = c.i[X], j = c.i[Y], k = c.i[Z];
    struct body_link_place p;
    p.a = d == X   ? point_values(u, v, w, at_field, 1, b.sy, b.sz)
          : d == Y ? point_values(v, u, w, at_field, b.sy, 1, b.sz)
                   : point_values(w, u, v, at_field, b.sz, 1, b.sy);
    p.s = d == X   ? point_spacings_u(m, i, j, k)
          : d == Y ? point_spacings_v(m, i, j, k)
                   : point_spacings_w(m, i, j, k);
    p.volume = point_body_volume(m, c, d);
    p.e = side / 2;
    p.high = side % 2;
    return p;
}

/* point_link_rates: computes how fast the fluid loses momentum to the body through a link, over the volume
 * [U/T]: by the plain stencil of the viscous term, and by convection. */
struct body_rates {
    double viscous, convective;
    double here, there, flux; /* the two values, and half the flux of volume over the volume [U], [1/T] */
};

HD struct body_rates point_link_rates(struct body_link_place p, int d, real nu)
{
    const double quarter = 0.25;
    /* e and f of struct momentum_values are the other two directions in the order x, y, z */
    const int first = d == X ? Y : X, along = p.e == d, is_first = p.e == first;
    const struct momentum_values a = p.a;
    const struct momentum_spacings s = p.s;
    const double here = a.c;
    const double there = along      ? (p.high ? a.dh : a.dl)
                         : is_first ? (p.high ? a.eh : a.el)
                                    : (p.high ? a.fh : a.fl);
    const double inverse_width = along ? s.iv : is_first ? s.ie : s.fi;
    const double inverse_distance = along      ? (p.high ? s.iwh : s.iwl)
                                    : is_first ? (p.high ? s.ieh : s.iel)
                                               : (p.high ? s.fih : s.fil);
    const double flux = along      ? here + there
                        : is_first ? (p.high ? (double)a.ehl * s.wl + (double)a.ehh * s.wh
                                             : (double)a.ell * s.wl + (double)a.elh * s.wh)
                                   : (p.high ? (double)a.fhl * s.wl + (double)a.fhh * s.wh
                                             : (double)a.fll * s.wl + (double)a.flh * s.wh);
    const double half = quarter * s.iv * (along ? 1 : inverse_width) * flux * (p.high ? 1 : -1);
    struct body_rates r;
    r.viscous = (double)nu * (here - there) * inverse_distance * inverse_width;
    r.convective = half * (here + there);
    r.here = here;
    r.there = there;
    r.flux = half;
    return r;
}

/* point_body_links: returns the rate at which moving closed neighbours take kinetic energy from the fluid,
 * over the volume [U^2/T]. */
HD double point_body_links(struct box b, struct metrics m, struct body_point a, int d, real nu, const real *u,
                           const real *v, const real *w)
{
    double sum = 0;
    for (int side = 0; side < 6; ++side) {
        if (!(a.closed >> side & 1)) continue;
        const struct body_rates r = point_link_rates(point_link_place(b, m, a.at, d, side, u, v, w), d, nu);
        sum += r.there * (r.viscous + r.flux * r.here);
    }
    return sum;
}

HD double point_body_loss(struct box b, struct metrics m, struct body_points p, int n, int d, real nu,
                          const real *u, const real *v, const real *w)
{
    const struct body_point a = p.point[n];
    const double volume = point_body_volume(m, point_body_cell(b, a.at), d);
    const real *const own = d == X ? u : d == Y ? v : w;
    const double here = own[a.at], links = p.wall != NULL ? point_body_links(b, m, a, d, nu, u, v, w) : 0;
    return volume * (here * ((double)a.drag * (here - point_body_wall(p, n)) -
                             (double)point_body_extra(b, m, p, n, d, nu, own)) +
                     links);
}

/* point_body_work: what a held face contributes to body_work(). */
HD double point_body_work(struct box b, struct metrics m, const unsigned char *open, ptrdiff_t o, int d,
                          real nu, const real *p, const real *u)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    const struct body_cell c = point_body_cell(b, o);
    const real *const wide[3] = {m.dx_c, m.dy_c, m.dz_c}, *const apart[3] = {m.dx_f, m.dy_f, m.dz_f};
    const double area = point_body_volume(m, c, d) / apart[d][c.i[d]];
    double sum = area * u[o] * ((double)p[o] - (double)p[o - stride[d]]);
    for (int e = 0; e < 3; ++e) {
        const ptrdiff_t next = o + stride[e];
        if (point_body_open(open[next], d)) continue;
        const double distance = e == d ? wide[e][c.i[e]] : apart[e][c.i[e] + 1],
                     width = e == d ? apart[e][c.i[e]] : wide[e][c.i[e]],
                     change = (double)u[next] - (double)u[o];
        sum += (double)nu * point_body_volume(m, c, d) / width / distance * change * change;
    }
    return sum;
}

HD real point_body_gradient(struct box b, struct metrics m, struct body_points p, int n, int d, const real *x)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, o = p.point[n].at;
    const struct body_cell c = point_body_cell(b, o);
    const real *const inverse[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    return (x[o] - x[o - stride[d]]) * inverse[d][c.i[d]];
}

/* point_body_predict: what body_extra() does at point n. old: NULL, or its array of component d. */
HD void point_body_predict(struct box b, struct metrics m, struct body_points points, int n, int d,
                           struct body_stage s, const real *vel, const real *base, real *old, real *out)
{
    const int o = points.point[n].at;
    const real extra = point_body_extra(b, m, points, n, d, s.nu, vel);
    real value = out[o] + s.a * extra;
    points.base[n] = base[o];
    if (points.lead != NULL) {
        const real lead = s.dts * (point_body_gradient(b, m, points, n, d, s.p) - points.lead[n]);
        points.lead[n] = lead;
        value += lead;
    }
    out[o] = value;
    if (old != NULL) old[o] += extra;
}

/* body_mean_row: factors of a row j, k in body_mean(). */
HD double point_body_mean(struct stencil s, struct metrics m, int d, int i, int j, int k, double x, double xl,
                          double yl, double zl, double u, double v, double w)
{
    const double cx = m.dx_c[i], cy = m.dy_c[j], cz = m.dz_c[k];
    return (double)m.dx_f[i] * cy * cz * u * ((d == X) - (x - xl) * s.gx[i]) +
           (double)m.dy_f[j] * cx * cz * v * ((d == Y) - (x - yl) * s.gy[j]) +
           (double)m.dz_f[k] * cx * cy * w * ((d == Z) - (x - zl) * s.gz[k]);
}

#endif
