/* The terms of plane averages of a scalar at one place of the staggered grid, for both backends. */
#ifndef KOL_POINT_PLANE_SCALAR_H
#define KOL_POINT_PLANE_SCALAR_H

#include "../plane_scalar.h"
#include "plane_average.h"

/* plane_scalar_source: returns the source that the mean gradient makes in the cell at o [own/T]. */
HD double plane_scalar_source(const struct plane_average_fields *q, struct plane_average_frame d, ptrdiff_t o)
{
    return -0.5 * (q->gradient_a * ((double)q->a[o] + (double)q->a[o + d.sa]) +
                   q->gradient_b * ((double)q->b[o] + (double)q->b[o + d.sb]));
}

/* point_scalar_means: puts the terms THETA_ at index o, times their areas, into t[sum * stride], as
 * point_plane_average() does. */
HD void point_scalar_means(struct plane_average_fields q, struct plane_average_frame d, ptrdiff_t o,
                           struct plane_average_spacings x, struct plane_average_spacings y,
                           struct plane_average_spacings z, int centre, double *KOL_RESTRICT t,
                           ptrdiff_t stride)
{
    const double cc = x.c * y.c, fc = x.f * y.c, cf = x.c * y.f;
    const double s = q.theta[o], below = q.theta[o - d.sn], xl = q.theta[o - d.sa], yl = q.theta[o - d.sb];
    const double n = q.n[o], dn = (s - below) * z.inv_f, da = (s - xl) * x.inv_f, db = (s - yl) * y.inv_f;
    /* at the upper face of the box own arrays hold nothing: what is read there is not used */
    const double convection = q.ct[o];
#define CENTRE(Q, VALUE) t[THETA_##Q * stride] = centre ? (VALUE) : 0
    CENTRE(T, cc * s);
    CENTRE(TT, cc * (s * s));
    CENTRE(TTT, cc * (s * s) * s);
    CENTRE(TTTT, cc * (s * s) * (s * s));
    CENTRE(TA, y.c * q.a[o] * 0.5 * (x.below * xl + x.c * s));
    CENTRE(TB, x.c * q.b[o] * 0.5 * (y.below * yl + y.c * s));
    CENTRE(GRAD, fc * (da * da) + cf * (db * db));
    CENTRE(C, cc * convection);
    CENTRE(TC, cc * convection * s);
    CENTRE(TS, cc * s * plane_scalar_source(&q, d, o));
#undef CENTRE
    t[THETA_TN * stride] = cc * n * 0.5 * (below + s);
    t[THETA_FLUX_TT * stride] = cc * n * (below * s);
    t[THETA_SHEAR * stride] = cc * (dn * dn);
    for (int i = THETA_COUNT; i < AVG_COUNT; ++i) t[i * stride] = 0;
}

/* flux_beside: what component A, or B, contributes to the terms of one cell. s: stride along the component.
 * x, next: spacings along it. across: width of the cell along the other direction. */
struct flux_beside {
    double convection, transport, source, buoyancy, lift, slope,
        face; /* face: the component round the lower face */
};

HD struct flux_beside flux_beside_make(const struct plane_average_fields *q, const real *u, const real *cu,
                                       const real *mu, const real *bu, ptrdiff_t s, ptrdiff_t sn, ptrdiff_t o,
                                       struct plane_average_spacings x, struct plane_average_spacings next,
                                       double across, double source)
{
    struct flux_beside r;
    const real *const t = q->theta;
    /* the scalar at the point of u and at the next one, times the areas there; u in the cell */
    const double here = 0.5 * across * (x.below * t[o - s] + x.c * t[o]),
                 next_here = 0.5 * across * (x.c * t[o] + next.c * t[o + s]),
                 in_cell = 0.5 * x.c * across * ((double)u[o] + (double)u[o + s]);
    r.convection = here * cu[o] + in_cell * q->ct[o];
    r.transport = here * mu[o] + in_cell * q->mt[o];
    r.source = in_cell * source;
    r.buoyancy = bu != NULL ? here * bu[o] : 0;
    r.lift = bu != NULL ? x.f * across * bu[o] : 0;
    r.slope = next_here * next.inv_f - here * x.inv_f;
    r.face = 0.25 * ((double)u[o - sn] + (double)u[o + s - sn] + (double)u[o] + (double)u[o + s]);
    return r;
}

/* point_scalar_fluxes: puts the terms FLUXES_ into t[sum * stride], as point_stress() does. */
HD void point_scalar_fluxes(struct plane_average_fields q, struct plane_average_frame d, ptrdiff_t o,
                            struct plane_average_spacings x, struct plane_average_spacings x_next,
                            struct plane_average_spacings y, struct plane_average_spacings y_next,
                            struct plane_average_spacings z, struct plane_average_spacings z_next, int centre,
                            double *KOL_RESTRICT t, ptrdiff_t stride)
{
    const double cc = x.c * y.c, n = q.n[o], up = q.n[o + d.sn], middle = 0.5 * (n + up);
    const double s = q.theta[o], below = q.theta[o - d.sn], above = q.theta[o + d.sn];
    const double face = 0.5 * (below + s), p = cc * q.p[o];
    const double source = plane_scalar_source(&q, d, o);
    const struct flux_beside a = flux_beside_make(&q, q.a, q.ca, q.ma, q.ba, d.sa, d.sn, o, x, x_next, y.c,
                                                  source),
                             b = flux_beside_make(&q, q.b, q.cb, q.mb, q.bb, d.sb, d.sn, o, y, y_next, x.c,
                                                  source);
#define CENTRE(Q, VALUE) t[FLUXES_##Q * stride] = centre ? (VALUE) : 0
    CENTRE(PT, p * s);
    CENTRE(PDA, q.p[o] * a.slope);
    CENTRE(PDB, q.p[o] * b.slope);
    CENTRE(PDN_LOW, p * (s - below) * z.inv_f);
    CENTRE(PDN_UP, p * (above - s) * z_next.inv_f);
    CENTRE(CA, a.convection);
    CENTRE(CB, b.convection);
    CENTRE(MA, a.transport);
    CENTRE(MB, b.transport);
    CENTRE(SA, a.source);
    CENTRE(SB, b.source);
    CENTRE(BA, a.buoyancy);
    CENTRE(BB, b.buoyancy);
    CENTRE(LA, a.lift);
    CENTRE(LB, b.lift);
    CENTRE(CTN_LOW, cc * q.ct[o] * n);
    CENTRE(CTN_UP, cc * q.ct[o] * up);
    CENTRE(MTN_LOW, cc * q.mt[o] * n);
    CENTRE(MTN_UP, cc * q.mt[o] * up);
    CENTRE(NNT, cc * (middle * middle) * s);
    CENTRE(CN, cc * q.cn[o] * face);
    CENTRE(MN, cc * q.mn[o] * face);
    CENTRE(BN, q.bn != NULL ? cc * q.bn[o] * face : 0);
#undef CENTRE
    t[FLUXES_ATN * stride] = cc * n * a.face * face;
    t[FLUXES_BTN * stride] = cc * n * b.face * face;
    t[FLUXES_SN * stride] = cc * n * 0.5 * (plane_scalar_source(&q, d, o - d.sn) + source);
    for (int i = FLUXES_COUNT; i < AVG_COUNT; ++i) t[i * stride] = 0;
}

/* plane_scalar_fields: returns the fields of a call. p: the pressure; NULL for plane_scalar_means(). */
HD struct plane_average_fields plane_scalar_fields(struct plane_average_frame d, real *const vel[3],
                                                   const real *p, const struct plane_scalar *s)
{
    struct plane_average_fields q = plane_average_fields_make(d, vel, p, s->u_convection, s->u_momentum);
    q.theta = s->theta;
    q.ct = s->convection;
    q.mt = s->transport;
    q.ba = s->buoyancy[d.a];
    q.bb = s->buoyancy[d.b];
    q.bn = s->buoyancy[d.n];
    q.gradient_a = s->gradient[d.a];
    q.gradient_b = s->gradient[d.b];
    return q;
}

#endif
