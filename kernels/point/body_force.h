/* What one link or one closed face contributes to the force on a body, for both backends. */
#ifndef KOL_POINT_BODY_FORCE_H
#define KOL_POINT_BODY_FORCE_H

#include "../body_force.h"
#include "body.h"

/* point_force_add: adds a force f along d at `arm` to kind, and its moment to the torque. */
HD void point_force_add(double sum[BODY_FORCES], int kind, int d, double f, const float arm[3])
{
    const int e = d == Z ? X : d + 1, g = d == X ? Z : d - 1; /* d, e, g in cyclic order */
    sum[kind + d] += f;
    sum[BODY_TORQUE + e] += (double)arm[g] * f;
    sum[BODY_TORQUE + g] -= (double)arm[e] * f;
}

/* point_link_extra: returns the explicit part of the viscous term that belongs to a link [U/T]. It comes from
 * the mirrored side, or from the neighbour opposite to the wall. */
HD double point_link_extra(struct box b, struct metrics m, struct body_points points, struct body_link l,
                           real nu, const real *u)
{
    const struct body_point a = points.point[l.point];
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    const int e = l.side / 2;
    if (a.mirror >> l.side & 1)
        return (double)l.lead + (double)point_body_mirror(m, point_body_cell(b, a.at), l.d, l.side, nu) *
                                    ((double)l.wall - (double)u[a.at]);
    if (a.half[e] == 0) return l.lead;
    return (double)l.lead +
           (double)a.half[e] * ((double)u[a.at + point_body_away(a, e) * stride[e]] - (double)l.wall);
}

/* link_force: how fast momentum crosses a link [U^2 L^2]. */
struct link_force {
    double viscous, convective;
};

HD struct link_force point_link_force(struct box b, struct metrics m, struct body_link l,
                                      struct body_points points, real nu, const real *u, const real *v,
                                      const real *w)
{
    const struct body_link_place p = point_link_place(b, m, l.at, l.d, l.side, u, v, w);
    const struct body_rates r = point_link_rates(p, l.d, nu);
    const double extra = point_link_extra(b, m, points, l, nu, l.d == X ? u : l.d == Y ? v : w);
    const struct link_force f = {p.volume * (r.viscous - extra), p.volume * r.convective};
    return f;
}

HD void point_force_rates(struct box b, struct metrics m, struct body_link l, struct body_points points,
                          real nu, const real *u, const real *v, const real *w, double sum[BODY_FORCES])
{
    const struct link_force f = point_link_force(b, m, l, points, nu, u, v, w);
    point_force_add(sum, BODY_VISCOUS, l.d, f.viscous, l.arm);
    point_force_add(sum, BODY_CONVECTIVE, l.d, f.convective, l.arm);
}

/* point_link_drag: returns the momentum that a link takes in a stage by the implicit part of the viscous term
 * [U L^3]. u: the component of the link. */
HD double point_link_drag(struct box b, struct metrics m, struct body_link l, struct body_points points,
                          real dts, const real *u)
{
    const double volume = point_body_volume(m, point_body_cell(b, l.at), l.d);
    const real z = dts * (real)points.point[l.point].drag, beta = point_body_beta(z);
    const double slip = (double)beta * ((double)point_body_after(points, l.point, u[l.at]) - (double)l.wall) +
                        (1 - (double)beta) * ((double)points.base[l.point] - (double)l.wall);
    return volume * (double)z * (double)l.share * slip;
}

HD void point_force_drag(struct box b, struct metrics m, struct body_link l, struct body_points points,
                         real dts, const real *u, double sum[BODY_FORCES])
{
    point_force_add(sum, BODY_VISCOUS, l.d, point_link_drag(b, m, l, points, dts, u), l.arm);
}

/* point_front_low, point_front_high: return the pressure p + phi in the live cell below and above a closed
 * face; 0 if that cell is dead [U^2]. phi: NULL if it is 0. */
HD double point_front_low(struct box b, struct body_front f, const real *p, const real *phi)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, below = f.at - stride[(int)f.d];
    return (f.live & 1) != 0 ? (double)p[below] + (phi != NULL ? (double)phi[below] : 0) : 0;
}

HD double point_front_high(struct body_front f, const real *p, const real *phi)
{
    return (f.live & 2) != 0 ? (double)p[f.at] + (phi != NULL ? (double)phi[f.at] : 0) : 0;
}

HD void point_force_pressure(struct box b, struct metrics m, struct body_front f, real dts, const real *p,
                             const real *phi, double sum[BODY_FORCES])
{
    const struct body_cell c = point_body_cell(b, f.at);
    const double x = m.dx_c[c.i[X]], y = m.dy_c[c.i[Y]], z = m.dz_c[c.i[Z]];
    const double area = f.d == X ? y * z : f.d == Y ? x * z : x * y;
    const double high = point_front_high(f, p, phi), low = point_front_low(b, f, p, phi);
    point_force_add(sum, BODY_PRESSURE, f.d, -(double)dts * area * (high - low), f.arm);
}

#endif
