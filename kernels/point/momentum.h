/* One momentum equation at one point, for the three components and both backends. */
#ifndef KOL_POINT_MOMENTUM_H
#define KOL_POINT_MOMENTUM_H

#include "../base/types.h"

/* momentum_values: values round the point of a component that lives on the faces of direction d. e and f are
 * the other two directions. The suffixes l and h stand for the low and the high neighbour. */
struct momentum_values {
    real c;              /* the component at the point */
    real dl, dh;         /* its neighbours along d */
    real el, eh, fl, fh; /* its neighbours along e and f */
    real ell, elh, ehl,
        ehh; /* velocity along e: first letter low/high face in e, second cell low/high in d */
    real fll, flh, fhl, fhh; /* velocity along f, in the same order */
};
struct momentum_spacings {
    real wl, wh;       /* widths of the cells below and above the face in d */
    real iwl, iwh;     /* their inverses: distances of the point to its neighbours along d */
    real iv;           /* inverse width of the momentum volume in d (centre distance) */
    real ie, iel, ieh; /* direction e: inverse cell width, inverse distances to the low and high neighbour */
    real fi, fil, fih; /* direction f */
};

/* point_spacings_u, point_spacings_v, point_spacings_w: return the spacings at the point (i, j, k) of each
 * component. */
HD struct momentum_spacings point_spacings_u(struct metrics m, int i, int j, int k)
{
    const struct momentum_spacings s = {m.dx_c[i - 1], m.dx_c[i],  m.dxi_c[i - 1], m.dxi_c[i],
                                        m.dxi_f[i],    m.dyi_c[j], m.dyi_f[j],     m.dyi_f[j + 1],
                                        m.dzi_c[k],    m.dzi_f[k], m.dzi_f[k + 1]};
    return s;
}

HD struct momentum_spacings point_spacings_v(struct metrics m, int i, int j, int k)
{
    const struct momentum_spacings s = {m.dy_c[j - 1], m.dy_c[j],  m.dyi_c[j - 1], m.dyi_c[j],
                                        m.dyi_f[j],    m.dxi_c[i], m.dxi_f[i],     m.dxi_f[i + 1],
                                        m.dzi_c[k],    m.dzi_f[k], m.dzi_f[k + 1]};
    return s;
}

HD struct momentum_spacings point_spacings_w(struct metrics m, int i, int j, int k)
{
    const struct momentum_spacings s = {m.dz_c[k - 1], m.dz_c[k],  m.dzi_c[k - 1], m.dzi_c[k],
                                        m.dzi_f[k],    m.dxi_c[i], m.dxi_f[i],     m.dxi_f[i + 1],
                                        m.dyi_c[j],    m.dyi_f[j], m.dyi_f[j + 1]};
    return s;
}

/* point_values: reads the values from arrays. a: the component itself. e, f: the components along the
 * directions e and f. o: index of the point. sd, se, sf: strides along d, e, f. */
HD struct momentum_values point_values(const real *a, const real *e, const real *f, ptrdiff_t o, ptrdiff_t sd,
                                       ptrdiff_t se, ptrdiff_t sf)
{
    struct momentum_values m;
    m.c = a[o];
    m.dl = a[o - sd];
    m.dh = a[o + sd];
    m.el = a[o - se];
    m.eh = a[o + se];
    m.fl = a[o - sf];
    m.fh = a[o + sf];
    m.ell = e[o - sd];
    m.elh = e[o];
    m.ehl = e[o - sd + se];
    m.ehh = e[o + se];
    m.fll = f[o - sd];
    m.flh = f[o];
    m.fhl = f[o - sd + sf];
    m.fhh = f[o + sf];
    return m;
}

/* point_convect: returns -conv of docs/numerics/momentum.md [U/T]. It is the sum of the fluxes through the
 * faces of the momentum volume, each times the mean of the two values beside the face, divided by the volume.
 */
HD real point_convect(struct momentum_values a, struct momentum_spacings s)
{
    const real quarter = (real)0.25;
    const real dh = (a.c + a.dh) * (a.c + a.dh);
    const real dl = (a.c + a.dl) * (a.c + a.dl);
    const real eh = (a.ehl * s.wl + a.ehh * s.wh) * (a.c + a.eh);
    const real el = (a.ell * s.wl + a.elh * s.wh) * (a.c + a.el);
    const real fh = (a.fhl * s.wl + a.fhh * s.wh) * (a.c + a.fh);
    const real fl = (a.fll * s.wl + a.flh * s.wh) * (a.c + a.fl);
    return -quarter * s.iv * ((dh - dl) + (eh - el) * s.ie + (fh - fl) * s.fi);
}

/* point_diffuse: returns the Laplacian of the component in flux form [U/L^2]. */
HD real point_diffuse(struct momentum_values a, struct momentum_spacings s)
{
    return ((a.dh - a.c) * s.iwh - (a.c - a.dl) * s.iwl) * s.iv +
           ((a.eh - a.c) * s.ieh - (a.c - a.el) * s.iel) * s.ie +
           ((a.fh - a.c) * s.fih - (a.c - a.fl) * s.fil) * s.fi;
}

/* turn: how much the components along e and f contribute to the equation of the component along d in a
 * rotating frame [1/T]. The term -(turn x u) along d is e u_e + f u_f. */
struct turn {
    real e, f;
};

/* point_turn_of: returns the turn of component d. e and f are the other two directions in the order x, y, z.
 */
HD struct turn point_turn_of(const real turn[3], int d)
{
    const struct turn t = {d == X   ? turn[Z]
                           : d == Y ? -turn[Z]
                                    : turn[Y],
                           d == X   ? -turn[Y]
                           : d == Y ? turn[X]
                                    : -turn[X]};
    return t;
}

/* point_turn: returns -(turn x u) along d [U/T]. It uses means that point_convect() computes, too. */
HD real point_turn(struct momentum_values a, struct momentum_spacings s, struct turn t)
{
    const real quarter = (real)0.25;
    const real e = (a.ehl * s.wl + a.ehh * s.wh) + (a.ell * s.wl + a.elh * s.wh);
    const real f = (a.fhl * s.wl + a.fhh * s.wh) + (a.fll * s.wl + a.flh * s.wh);
    return quarter * s.iv * (t.e * e + t.f * f);
}

/* point_pull: returns the force along d that is proportional to the fluctuation of the velocity [U/T]. */
HD real point_pull(real u, real pull, real mean)
{
    return pull * (u - mean);
}

/* point_diffuse_in_part: the same with part d of what passes along d, and part f of what passes along f. */
HD real point_diffuse_in_part(struct momentum_values a, struct momentum_spacings s, real d, real f)
{
    return d * (((a.dh - a.c) * s.iwh - (a.c - a.dl) * s.iwl) * s.iv) +
           ((a.eh - a.c) * s.ieh - (a.c - a.el) * s.iel) * s.ie +
           f * (((a.fh - a.c) * s.fih - (a.c - a.fl) * s.fil) * s.fi);
}

/* point_momentum: returns the right-hand side without the pressure [U/T]. point_momentum_in_part: the same
 * with point_diffuse_in_part(). */
HD real point_momentum_in_part(struct momentum_values a, struct momentum_spacings s, real nu, real d, real f)
{
    return point_convect(a, s) + nu * point_diffuse_in_part(a, s, d, f);
}

HD real point_momentum(struct momentum_values a, struct momentum_spacings s, real nu)
{
    return point_convect(a, s) + nu * point_diffuse(a, s);
}

#endif
