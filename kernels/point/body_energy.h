/* Work at one face beside a body that travels, for both backends. */
#ifndef KOL_POINT_BODY_ENERGY_H
#define KOL_POINT_BODY_ENERGY_H

#include "../body_energy.h"
#include "body.h"

/* point_energy_extra: what point n of component d contributes to body_energy_rates(). u: the component. */
HD double point_energy_extra(struct box b, struct metrics m, struct body_points p, int n, int d, real nu,
                             const real *u)
{
    const ptrdiff_t o = p.point[n].at;
    const double volume = point_body_volume(m, point_body_cell(b, o), d);
    return volume * (double)u[o] * (double)point_body_extra(b, m, p, n, d, nu, u);
}

/* point_energy_closed: what a closed face contributes to body_energy_rates(). */
HD double point_energy_closed(struct box b, struct metrics m, ptrdiff_t o, int d, struct stage t,
                              const real *u, const real *v, const real *w)
{
    const struct body_cell c = point_body_cell(b, o);
    const int i = c.i[X], j = c.i[Y], k = c.i[Z];
    const struct momentum_values a = d == X   ? point_values(u, v, w, o, 1, b.sy, b.sz)
                                     : d == Y ? point_values(v, u, w, o, b.sy, 1, b.sz)
                                              : point_values(w, u, v, o, b.sz, 1, b.sy);
    const struct momentum_spacings s = d == X   ? point_spacings_u(m, i, j, k)
                                       : d == Y ? point_spacings_v(m, i, j, k)
                                                : point_spacings_w(m, i, j, k);
    const real rate = point_momentum(a, s, t.nu) + point_turn(a, s, point_turn_of(t.turn, d));
    return -point_body_volume(m, c, d) * (double)a.c * (double)rate;
}

/* point_energy_turn: what a face contributes to body_energy_turns(). u, old: of its component. */
HD double point_energy_turn(struct box b, struct metrics m, struct body_turn f, const real *u,
                            const real *old)
{
    if (!f.closes) return 0;
    return point_body_volume(m, point_body_cell(b, f.at), f.d) * (double)u[f.at] * (double)old[f.at];
}

/* point_energy_slope: returns dts times the gradient of p + phi along d [U]. */
HD double point_energy_slope(struct box b, struct metrics m, struct body_cell c, ptrdiff_t o, int d, real dts,
                             const real *p, const real *phi)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz}, below = o - stride[d];
    const real *const inverse[3] = {m.dxi_f, m.dyi_f, m.dzi_f};
    const double high = (double)p[o] + (double)phi[o], low = (double)p[below] + (double)phi[below];
    return (double)dts * (high - low) * (double)inverse[d][c.i[d]];
}

/* point_energy_drag: what point n of component d contributes to body_energy_stage(). u: the component. */
HD double point_energy_drag(struct box b, struct metrics m, struct body_points p, int n, int d, real dts,
                            const real *phi, const real *u)
{
    const struct body_point a = p.point[n];
    const struct body_cell c = point_body_cell(b, a.at);
    const real z = dts * (real)a.drag;
    const double beta = point_body_beta(z), wall = point_body_wall(p, n), base = p.base[n], here = u[a.at];
    const double taken = (double)z * (beta * (here - wall) + (1 - beta) * (base - wall));
    const double end = here - (double)dts * (double)point_body_gradient(b, m, p, n, d, phi);
    return -point_body_volume(m, c, d) * 0.5 * (base + end) * taken;
}

/* point_energy_held: what face n in `held` of component d contributes to body_energy_stage(). */
HD double point_energy_held(struct box b, struct metrics m, struct body_held h, int n, int d,
                            struct body_impulse s, const real *p, const real *phi)
{
    const ptrdiff_t o = h.at[n];
    const struct body_cell c = point_body_cell(b, o);
    const double base = h.base[n], body = h.value[n], mean = 0.5 * (base + body);
    const double push = point_energy_slope(b, m, c, o, d, s.dts, p, phi) - (double)s.shift[d];
    return point_body_volume(m, c, d) * mean * ((body - base) + push);
}

#endif
