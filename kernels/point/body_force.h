/* What one link or one closed face contributes to the force on a body, for both backends. */
#ifndef KOL_POINT_BODY_FORCE_H
#define KOL_POINT_BODY_FORCE_H

#include "../body_force.h"
#include "body.h"

/* point_link_at: returns link l. */
HD struct body_link point_link_at(struct body_links s, int l)
{
    const unsigned char code = s.code[l];
    struct body_link link;
    link.at = s.at[l];
    link.point = s.point[l];
    link.d = (signed char)(code & 3);
    link.side = (signed char)(code >> 2 & 7);
    link.mirror = (signed char)(code >> 5 & 1);
    link.half = s.half[l];
    link.drag = s.drag[l];
    link.share = s.share[l];
    link.wall = s.wall != NULL ? s.wall[l] : 0;
    link.lead = s.lead != NULL ? s.lead[l] : 0;
    for (int e = 0; e < 3; ++e) link.arm[e] = s.arm[e][l];
    return link;
}

/* point_force_vector: returns the vector f along d. */
struct force_vector {
    double x, y, z;
};
HD struct force_vector point_force_vector(int d, double f)
{
    const struct force_vector v = {d == X ? f : 0, d == Y ? f : 0, d == Z ? f : 0};
    return v;
}

/* point_force_stage: returns the sum of a stage from that of the stages before, the rate of this stage and
 * the one before. */
HD double point_force_stage(int keep, double total, double a, double rate, double a_old, double before)
{
    return (keep ? total : 0) + (a * rate + (a_old != 0 ? a_old * before : 0));
}

/* point_force_add: adds a force f along d to kind. point_force_turn: adds its moment at `arm` to the torque.
 * The indices of the sums are constant, so that a GPU holds them in registers. */
HD void point_force_add(double sum[BODY_FORCES], int kind, int d, double f)
{
    const struct force_vector v = point_force_vector(d, f);
    sum[kind + X] += v.x;
    sum[kind + Y] += v.y;
    sum[kind + Z] += v.z;
}

HD void point_force_turn(double sum[BODY_FORCES], int d, double f, const float arm[3])
{
    const struct force_vector v = point_force_vector(d, f);
    sum[BODY_TORQUE + X] += (double)arm[Y] * v.z - (double)arm[Z] * v.y;
    sum[BODY_TORQUE + Y] += (double)arm[Z] * v.x - (double)arm[X] * v.z;
    sum[BODY_TORQUE + Z] += (double)arm[X] * v.y - (double)arm[Y] * v.x;
}

/* point_link_extra: returns the explicit part of the viscous term that belongs to a link [U/T]. It comes from
 * the mirrored side, or from the neighbour opposite to the wall. c: the cell of the face; u: the component.
 */
HD double point_link_extra(struct box b, struct metrics m, struct body_cell c, struct body_link l, real nu,
                           const real *u)
{
    const ptrdiff_t next = point_body_stride(b, l.side / 2);
    if (l.mirror)
        return (double)l.lead +
               (double)point_body_mirror(m, c, l.d, l.side, nu) * ((double)l.wall - (double)u[l.at]);
    if (l.half == 0) return l.lead;
    return (double)l.lead +
           (double)l.half * ((double)u[l.side % 2 ? l.at - next : l.at + next] - (double)l.wall);
}

/* link_force: how fast momentum crosses a link [U^2 L^2]. */
struct link_force {
    double viscous, convective;
};

HD struct link_force point_link_force(struct box b, struct metrics m, struct body_link l, real nu,
                                      const real *u, const real *v, const real *w)
{
    const struct body_cell c = point_body_cell(b, l.at);
    const struct body_rates r = point_link_rates(b, m, c, l.at, l.d, l.side, nu, u, v, w);
    const double extra = point_link_extra(b, m, c, l, nu, point_body_field(l.d, u, v, w)),
                 volume = point_body_volume(m, c, l.d);
    const struct link_force f = {volume * (r.viscous - extra), volume * r.convective};
    return f;
}

HD void point_force_rates(struct box b, struct metrics m, struct body_link l, real nu, const real *u,
                          const real *v, const real *w, double sum[BODY_FORCES])
{
    const struct link_force f = point_link_force(b, m, l, nu, u, v, w);
    point_force_add(sum, BODY_VISCOUS, l.d, f.viscous);
    point_force_add(sum, BODY_CONVECTIVE, l.d, f.convective);
    point_force_turn(sum, l.d, f.viscous + f.convective, l.arm);
}

/* link_points: what point_link_drag() reads of the points of a component. lead may be NULL. */
struct link_points {
    const real *base, *lead;
};
HD struct link_points point_link_points(int d, struct body_points x, struct body_points y,
                                        struct body_points z)
{
    const struct link_points p = {d == X   ? x.base
                                  : d == Y ? y.base
                                           : z.base,
                                  d == X   ? x.lead
                                  : d == Y ? y.lead
                                           : z.lead};
    return p;
}

/* point_link_drag: returns the momentum that a link takes in a stage by the implicit part of the viscous term
 * [U L^3]. u: the component of the link. */
HD double point_link_drag(struct box b, struct metrics m, struct body_link l, struct link_points p, real dts,
                          const real *u)
{
    const double volume = point_body_volume(m, point_body_cell(b, l.at), l.d);
    const real z = dts * (real)l.drag, beta = point_body_beta(z);
    const real after = p.lead != NULL ? u[l.at] + p.lead[l.point] : u[l.at];
    const double slip = (double)beta * ((double)after - (double)l.wall) +
                        (1 - (double)beta) * ((double)p.base[l.point] - (double)l.wall);
    return volume * (double)z * (double)l.share * slip;
}

HD void point_force_drag(struct box b, struct metrics m, struct body_link l, struct link_points p, real dts,
                         const real *u, double sum[BODY_FORCES])
{
    const double f = point_link_drag(b, m, l, p, dts, u);
    point_force_add(sum, BODY_VISCOUS, l.d, f);
    point_force_turn(sum, l.d, f, l.arm);
}

/* point_front_low, point_front_high: return the pressure p + phi in the live cell below and above a closed
 * face; 0 if that cell is dead [U^2]. phi: NULL if it is 0. */
HD double point_front_low(struct box b, struct body_front f, const real *p, const real *phi)
{
    const ptrdiff_t below = f.at - point_body_stride(b, f.d);
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
    const double impulse = -(double)dts * area * (high - low);
    point_force_add(sum, BODY_PRESSURE, f.d, impulse);
    point_force_turn(sum, f.d, impulse, f.arm);
}

#endif
