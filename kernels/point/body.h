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

/* body_cell: local indices of the cell whose low face is the point. point_body_cell: returns them. The lists
 * have the index of a face in 32 bits, which a GPU divides faster than 64. */
struct body_cell {
    int i[3];
};
HD struct body_cell point_body_cell(struct box b, ptrdiff_t at_field)
{
    /* counted from the first halo cell, so that no quotient is negative */
    const unsigned o = (unsigned)(at_field - b.start + b.h * (1 + b.sy + b.sz));
    const unsigned sy = (unsigned)b.sy, sz = (unsigned)b.sz, k = o / sz, j = (o - k * sz) / sy;
    struct body_cell c;
    c.i[X] = (int)(o - k * sz - j * sy) - b.h;
    c.i[Y] = (int)j - b.h;
    c.i[Z] = (int)k - b.h;
    return c;
}

/* point_body_metric, point_body_field, point_body_stride: return one of three arrays or numbers by its
 * direction. An array of them with a variable index would lie in the memory of each thread of a GPU. */
HD const real *point_body_metric(int d, const real *x, const real *y, const real *z)
{
    return d == X ? x : d == Y ? y : z;
}

HD const real *point_body_field(int d, const real *u, const real *v, const real *w)
{
    return d == X ? u : d == Y ? v : w;
}

HD ptrdiff_t point_body_stride(struct box b, int d)
{
    return d == X ? 1 : d == Y ? b.sy : b.sz;
}

HD int point_body_index(struct body_cell c, int d)
{
    return d == X ? c.i[X] : d == Y ? c.i[Y] : c.i[Z];
}

/* point_body_mirror: returns c of struct body_point for a side of a face of component d [1/T]. */
HD real point_body_mirror(struct metrics m, struct body_cell c, int d, int side, real nu)
{
    const int e = side / 2, high = side % 2, i = point_body_index(c, e);
    const real *const centre = point_body_metric(e, m.dxi_c, m.dyi_c, m.dzi_c), *const face =
                                                                                    point_body_metric(
                                                                                        e, m.dxi_f, m.dyi_f,
                                                                                        m.dzi_f);
    const real width = e == d ? face[i] : centre[i];
    const real distance = e == d ? centre[i - 1 + high] : face[i + high];
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
    real sum = p.wall != NULL ? -p.wall[2 * n + 1] : 0;
    for (int e = 0; e < 3; ++e)
        if (a.half[e] != 0)
            sum += (real)a.half[e] * u[a.at + point_body_away(a, e) * point_body_stride(b, e)];
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

/* point_body_dragged: returns the velocity that the drag leaves of u. base: at the start of the stage. */
HD real point_body_dragged(struct body_point a, real wall, real base, real dts, real u)
{
    const real z = dts * (real)a.drag, beta = point_body_beta(z);
    return (u - (1 - beta) * z * (base - wall) + beta * z * wall) / (1 + beta * z);
}

HD real point_body_drag(struct body_points p, int n, real dts, real u)
{
    const real after = point_body_dragged(p.point[n], point_body_wall(p, n), p.base[n], dts, u);
    return p.lead != NULL ? after - p.lead[n] : after;
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

/* point_link_rates: computes how fast the fluid loses momentum to the body through a link, over the volume
 * [U/T]: by the plain stencil of the viscous term, and by convection. c: the cell of the face. */
struct body_rates {
    double viscous, convective;
    double here, there, flux; /* the two values, and half the flux of volume over the volume [U], [1/T] */
};

HD struct body_rates point_link_rates(struct box b, struct metrics m, struct body_cell c, ptrdiff_t o, int d,
                                      int side, real nu, const real *u, const real *v, const real *w)
{
    const double quarter = 0.25;
    const int e = side / 2, high = side % 2, along = e == d, n = point_body_index(c, d),
              q = point_body_index(c, e);
    const ptrdiff_t next = point_body_stride(b, e), below = point_body_stride(b, d);
    const real *const own = point_body_field(d, u, v, w), *const across = point_body_field(e, u, v, w);
    const real *const wide = point_body_metric(d, m.dx_c, m.dy_c, m.dz_c),
                      *const centre = point_body_metric(e, m.dxi_c, m.dyi_c, m.dzi_c),
                      *const face = point_body_metric(e, m.dxi_f, m.dyi_f, m.dzi_f),
                      *const length = point_body_metric(d, m.dxi_f, m.dyi_f, m.dzi_f);
    const double here = own[o], there = own[high ? o + next : o - next], inverse_length = length[n];
    double flux = here + there, inverse_width = inverse_length, inverse_distance, passes = inverse_length;
    if (along) {
        inverse_distance = centre[high ? q : q - 1];
    } else {
        const ptrdiff_t beside = high ? o + next : o;
        flux = (double)across[beside - below] * wide[n - 1] + (double)across[beside] * wide[n];
        inverse_width = centre[q];
        inverse_distance = face[q + high];
        passes = inverse_length * inverse_width;
    }
    struct body_rates r;
    r.flux = quarter * passes * flux * (high ? 1 : -1);
    r.viscous = (double)nu * (here - there) * inverse_distance * inverse_width;
    r.convective = r.flux * (here + there);
    r.here = here;
    r.there = there;
    return r;
}

/* point_body_links: returns the rate at which moving closed neighbours take kinetic energy from the fluid,
 * over the volume [U^2/T]. */
HD double point_body_links(struct box b, struct metrics m, struct body_point a, int d, real nu, const real *u,
                           const real *v, const real *w)
{
    const struct body_cell c = point_body_cell(b, a.at);
    double sum = 0;
    for (int side = 0; side < 6; ++side) {
        if (!(a.closed >> side & 1)) continue;
        const struct body_rates r = point_link_rates(b, m, c, a.at, d, side, nu, u, v, w);
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
    const int o = p.point[n].at;
    const real *const inverse = point_body_metric(d, m.dxi_f, m.dyi_f, m.dzi_f);
    return (x[o] - x[o - point_body_stride(b, d)]) * inverse[point_body_index(point_body_cell(b, o), d)];
}

/* point_body_predict: what body_extra() does at point n. old: NULL, or its array of component d. It reads all
 * values before it writes, so that a GPU waits for them once. */
HD void point_body_predict(struct box b, struct metrics m, struct body_points points, int n, int d,
                           struct body_stage s, const real *vel, const real *base, real *old, real *out)
{
    const struct body_point a = points.point[n];
    const int leads = points.lead != NULL;
    const real extra = point_body_extra(b, m, points, n, d, s.nu, vel), start = base[a.at];
    const real before = !leads             ? 0
                        : s.before != NULL ? point_body_gradient(b, m, points, n, d, s.before)
                                           : points.lead[n];
    const real slope = leads ? point_body_gradient(b, m, points, n, d, s.p) - before : 0,
               lead = s.dts * slope, kept = old != NULL ? old[a.at] : 0, wall = point_body_wall(points, n);
    real value = out[a.at] + s.a * extra;
    if (leads) value += lead;
    if (s.drag) value = point_body_dragged(a, wall, start, s.dts, value);
    if (s.drag && leads) value -= lead;
    if (s.keep) points.base[n] = start;
    if (s.keep && leads) points.lead[n] = lead;
    out[a.at] = value;
    if (old != NULL) old[a.at] = kept + extra;
}

/* point_body_mean: returns the term of cell (i, j, k) in the sum of body_mean() (kernels/body.h) [U L^3].
 * x: its value in the cell; xl, yl, zl: in the cells below along x, y, z. */
HD double point_body_mean(struct stencil s, struct metrics m, int d, int i, int j, int k, double x, double xl,
                          double yl, double zl, double u, double v, double w)
{
    const double cx = m.dx_c[i], cy = m.dy_c[j], cz = m.dz_c[k];
    return (double)m.dx_f[i] * cy * cz * u * ((d == X) - (x - xl) * s.gx[i]) +
           (double)m.dy_f[j] * cx * cz * v * ((d == Y) - (x - yl) * s.gy[j]) +
           (double)m.dz_f[k] * cx * cy * w * ((d == Z) - (x - zl) * s.gz[k]);
}

#endif
