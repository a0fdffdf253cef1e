/* One cell beside a body that holds the value of a scalar, for both backends. */
#ifndef KOL_POINT_SCALAR_WALL_H
#define KOL_POINT_SCALAR_WALL_H

#include "../scalar_wall.h"
#include "body.h"

/* scalar_side: the geometry of a side of a cell.
 *
 *   behind, away   indices of the cells on this side and on the other one
 *   iw, id         inverse width of the cell, inverse distance of the cell behind [1/L]
 *   wind           velocity out of the cell through the face [U]
 *   volume         of the cell [L^3] */
struct scalar_side {
    ptrdiff_t behind, away;
    real iw, id, wind;
    double volume;
};

HD struct scalar_side point_scalar_side(struct box b, struct metrics m, ptrdiff_t o, int side, const real *u,
                                        const real *v, const real *w)
{
    const struct body_cell c = point_body_cell(b, o);
    const int e = side / 2, high = side % 2, i = c.i[e];
    const ptrdiff_t stride = e == X ? 1 : e == Y ? b.sy : b.sz, step = high ? stride : -stride;
    const real *const own = e == X ? u : e == Y ? v : w;
    const real *const centre = e == X   ? m.dxi_c
                               : e == Y ? m.dyi_c
                                        : m.dzi_c,
                      *const face = e == X   ? m.dxi_f
                                    : e == Y ? m.dyi_f
                                             : m.dzi_f;
    struct scalar_side s;
    s.behind = o + step;
    s.away = o - step;
    s.iw = centre[i];
    s.id = face[i + high];
    s.wind = own == NULL ? 0 : high ? own[o + stride] : -own[o];
    s.volume = (double)m.dx_c[c.i[X]] * m.dy_c[c.i[Y]] * m.dz_c[c.i[Z]];
    return s;
}

/* point_scalar_link_diffuses: returns the explicit part of the diffusion of a link over the diffusivity
 * [own/L^2]. */
HD real point_scalar_link_diffuses(struct scalar_link l, real wall, real here, real away)
{
    return l.half * (away - wall) + l.mirror * (wall - here);
}

/* point_scalar_link_carries: returns what the wind brings through the face [own/T]; there: value on its other
 * side. */
HD real point_scalar_link_carries(struct scalar_side s, real here, real there)
{
    return -(real)0.5 * s.iw * s.wind * (here + there);
}

/* point_scalar_link_extra: returns the explicit part of a link [own/T]. */
HD real point_scalar_link_extra(struct scalar_link l, struct scalar_side s, real kappa, real wall,
                                const real *q, ptrdiff_t o)
{
    if (l.gives != 0) return l.gives * wall;
    const real carried = l.open ? 0 : point_scalar_link_carries(s, q[o], wall);
    return kappa * point_scalar_link_diffuses(l, wall, q[o], q[s.away]) + carried;
}

/* point_scalar_link_plain: returns what scalar_transport() brings through the face of a link [own/T]. */
HD double point_scalar_link_plain(struct scalar_link l, struct scalar_side s, real kappa, const real *q,
                                  ptrdiff_t o)
{
    if (!l.open) return 0;
    return (double)kappa * s.id * s.iw * ((double)q[s.behind] - (double)q[o]) +
           (double)point_scalar_link_carries(s, q[o], q[s.behind]);
}

/* scalar_wall_part: what the links of a point are together: the explicit part [own/T], z, and z times the
 * mean of the values on the surface. */
struct scalar_wall_part {
    real extra, z, pull;
};

HD struct scalar_wall_part point_scalar_wall_part(struct box b, struct metrics m,
                                                  const struct scalar_walls *w, int n, real kappa, real dts,
                                                  const real *wall, const real *u, const real *v,
                                                  const real *vw, const real *q)
{
    const ptrdiff_t o = w->at[n];
    struct scalar_wall_part p = {0, 0, 0};
    for (int l = w->first[n]; l < w->first[n + 1]; ++l) {
        const struct scalar_link link = w->link[l];
        const struct scalar_side s = point_scalar_side(b, m, o, link.side, u, v, vw);
        const real z = dts * kappa * link.drag;
        p.extra += point_scalar_link_extra(link, s, kappa, wall[l], q, o);
        p.z += z;
        p.pull += z * wall[l];
    }
    return p;
}

/* point_scalar_wall: returns the value at the end of the stage. out: what scalar_transport() has computed. */
HD real point_scalar_wall(struct scalar_wall_part p, real a, real base, real out)
{
    const real beta = point_body_beta(p.z);
    return (out + a * p.extra - (1 - beta) * (p.z * base - p.pull) + beta * p.pull) / (1 + beta * p.z);
}

/* scalar_wall_weights: of a stage, and the values of a point before and after it. */
struct scalar_wall_weights {
    real a, a_old, dts, beta, base, after;
    int keep;
};

/* point_scalar_wall_passed: adds what has entered through link l in a stage. */
HD void point_scalar_wall_passed(struct box b, struct metrics m, struct scalar_link link, ptrdiff_t o,
                                 struct scalar_wall_weights k, real kappa, real wall, const real *u,
                                 const real *v, const real *vw, const real *q, double *total, double *before)
{
    const struct scalar_side s = point_scalar_side(b, m, o, link.side, u, v, vw);
    const double rate = s.volume * ((double)point_scalar_link_extra(link, s, kappa, wall, q, o) +
                                    point_scalar_link_plain(link, s, kappa, q, o));
    const double old = k.a_old != 0 ? (double)k.a_old * *before : 0, start = k.keep ? *total : 0;
    const double z = (double)k.dts * kappa * link.drag, beta = k.beta;
    const double drawn =
        z * (beta * ((double)wall - (double)k.after) + (1 - beta) * ((double)wall - (double)k.base));
    *total = start + ((double)k.a * rate + old + s.volume * drawn);
    *before = rate;
}

/* point_scalar_wall_point: does the stage of scalar n of a call at one point. */
HD void point_scalar_wall_point(struct box b, struct metrics m, const struct scalar_walls *w,
                                const struct scalar_stage *s, const struct scalar_wall_values *v, int n,
                                int point, real dts, const real *u, const real *vv, const real *vw,
                                const real *theta, const real *base, real *old, real *out)
{
    const ptrdiff_t o = w->at[point];
    const real kappa = s->term[n].kappa, start = base[o];
    const struct scalar_wall_part p =
        point_scalar_wall_part(b, m, w, point, kappa, dts, v->wall[n], u, vv, vw, theta);
    const real after = point_scalar_wall(p, s->a, start, out[o]);
    const struct scalar_wall_weights k = {s->a, s->a_old, dts, point_body_beta(p.z), start, after, v->keep};
    out[o] = after;
    if (old != NULL) old[o] += p.extra;
    if (v->total[n] == NULL) return;
    for (int l = w->first[point]; l < w->first[point + 1]; ++l)
        point_scalar_wall_passed(b, m, w->link[l], o, k, kappa, v->wall[n][l], u, vv, vw, theta,
                                 &v->total[n][l], &v->before[n][l]);
}

/* point_scalar_wall_scatter: what a point contributes to scalar_wall_scatter(). */
HD double point_scalar_wall_scatter(struct box b, struct metrics m, const struct scalar_walls *w, int n,
                                    const real *wall, const real *q)
{
    const ptrdiff_t o = w->at[n];
    double sum = 0;
    for (int l = w->first[n]; l < w->first[n + 1]; ++l) {
        const struct scalar_link link = w->link[l];
        const struct scalar_side s = point_scalar_side(b, m, o, link.side, NULL, NULL, NULL);
        const double slip = (double)wall[l] - (double)q[o],
                     across = link.open ? (double)q[s.behind] - (double)q[o] : 0,
                     plain = (double)s.id * s.iw * across;
        sum +=
            s.volume * (slip * ((double)link.drag * slip +
                                (double)point_scalar_link_diffuses(link, wall[l], q[o], q[s.away]) + plain) -
                        0.5 * plain * across); /* half of this link is in scalar_record() */
    }
    return sum;
}

#endif
