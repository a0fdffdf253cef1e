/* The terms of plane averages at one place of the staggered grid, for both backends. */
#ifndef KOL_POINT_PLANE_AVERAGE_H
#define KOL_POINT_PLANE_AVERAGE_H

#include <math.h>
#include "../plane_average.h"

/* plane_average_frame: the direction n normal to the walls, and the homogeneous directions a and b (a comes
 * before b), with their strides. */
struct plane_average_frame {
    int a, b, n;
    ptrdiff_t sa, sb, sn;
};

HD struct plane_average_frame plane_average_frame_make(struct box b, int normal)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    struct plane_average_frame f;
    f.n = normal;
    f.a = normal == X ? Y : X;
    f.b = normal == Z ? Y : Z;
    f.sa = stride[f.a];
    f.sb = stride[f.b];
    f.sn = stride[f.n];
    return f;
}

/* plane_average_cells: returns the number of own cells along a direction. */
HD int plane_average_cells(struct box b, int direction)
{
    return direction == X ? b.nx : direction == Y ? b.ny : b.nz;
}

/* plane_average_spacings: spacings of a cell along one direction. They are its width, the width of the cell
 * below, the distance of their centres, and inverses. */
struct plane_average_spacings {
    double c, below, f, inv_c, inv_f;
};

HD struct plane_average_spacings plane_average_spacings_make(struct metrics m, int direction, int i)
{
    const real *const c = direction == X ? m.dx_c : direction == Y ? m.dy_c : m.dz_c;
    const real *const f = direction == X ? m.dx_f : direction == Y ? m.dy_f : m.dz_f;
    const real *const inv_c = direction == X ? m.dxi_c : direction == Y ? m.dyi_c : m.dzi_c;
    const real *const inv_f = direction == X ? m.dxi_f : direction == Y ? m.dyi_f : m.dzi_f;
    struct plane_average_spacings s;
    s.c = c[i];
    s.below = c[i - 1];
    s.f = f[i];
    s.inv_c = inv_c[i];
    s.inv_f = inv_f[i];
    return s;
}

/* plane_average_fields: the velocity components along a, b, n, and the pressure. For plane_average_stresses()
 * there are also the convection and the complete right-hand side of each component. For plane_scalar.h there
 * are the scalar, its convection (ct), its transport (mt), the buoyancy, and the mean gradient along a and b.
 */
struct plane_average_fields {
    const real *a, *b, *n, *p;
    const real *ca, *cb, *cn, *ma, *mb, *mn;
    const real *theta, *ct, *mt, *ba, *bb, *bn;
    double gradient_a, gradient_b;
    struct quadrants quadrants;
};

/* plane_average_fields_make: returns the fields. Only plane_average_stresses() needs convection and momentum.
 */
HD struct plane_average_fields plane_average_fields_make(struct plane_average_frame d, real *const vel[3],
                                                         const real *p, real *const convection[3],
                                                         real *const momentum[3])
{
    struct plane_average_fields q;
    q.a = vel[d.a];
    q.b = vel[d.b];
    q.n = vel[d.n];
    q.p = p;
    q.ca = convection[d.a];
    q.cb = convection[d.b];
    q.cn = convection[d.n];
    q.ma = momentum[d.a];
    q.mb = momentum[d.b];
    q.mn = momentum[d.n];
    return q;
}

/* point_plane_average: puts the terms at index o, times their areas, into t[sum * stride]. centre: 0 at the
 * upper face of the box, which has no centre above it. The arrays are read there, but the values are not
 * used. */
HD void point_plane_average(struct plane_average_fields q, struct plane_average_frame d, ptrdiff_t o,
                            struct plane_average_spacings x, struct plane_average_spacings y,
                            struct plane_average_spacings z, int centre, double *KOL_RESTRICT t,
                            ptrdiff_t stride)
{
    const double a = q.a[o], b = q.b[o], n = q.n[o];
    const double a_below = q.a[o - d.sn], b_below = q.b[o - d.sn];
    const double beyond = q.n[o + d.sn], here = q.p[o], n_above = centre ? beyond : 0, p = centre ? here : 0;
    const double a_yl = q.a[o - d.sb], b_xl = q.b[o - d.sa], n_xl = q.n[o - d.sa], n_yl = q.n[o - d.sb];
    /* areas by location along a and b: c centre, f face; and the same at centres of levels */
    const double fc = x.f * y.c, cf = x.c * y.f, cc = x.c * y.c, in = centre ? 1 : 0;
    const double fc_in = in * fc, cf_in = in * cf, cc_in = in * cc, ff_in = in * x.f * y.f;
    const double aa = a * a, bb = b * b, nn = n * n;
    const double da_a = (q.a[o + d.sa] - a) * x.inv_c, db_b = (q.b[o + d.sb] - b) * y.inv_c;
    const double db_a = (a - a_yl) * y.inv_f, da_b = (b - b_xl) * x.inv_f, dn_n = (n_above - n) * z.inv_c;
    const double dn_a = (a - a_below) * z.inv_f, dn_b = (b - b_below) * z.inv_f;
    const double da_n = (n - n_xl) * x.inv_f, db_n = (n - n_yl) * y.inv_f;
    const double n_centre = 0.5 * (n + n_above);
    const double flux_a = 0.5 * (x.below * n_xl + x.c * n) * y.c,
                 flux_b = 0.5 * (y.below * n_yl + y.c * n) * x.c;
    t[AVG_A * stride] = fc_in * a;
    t[AVG_B * stride] = cf_in * b;
    t[AVG_P * stride] = cc_in * p;
    t[AVG_AA * stride] = fc_in * aa;
    t[AVG_BB * stride] = cf_in * bb;
    t[AVG_PP * stride] = cc_in * (p * p);
    t[AVG_AB * stride] = ff_in * 0.25 * (a_yl + a) * (b_xl + b);
    t[AVG_AAA * stride] = fc_in * aa * a;
    t[AVG_BBB * stride] = cf_in * bb * b;
    t[AVG_AAAA * stride] = fc_in * aa * aa;
    t[AVG_BBBB * stride] = cf_in * bb * bb;
    t[AVG_OMEGA_N * stride] = ff_in * (da_b - db_a) * (da_b - db_a);
    t[AVG_GRAD_A * stride] = cc_in * da_a * da_a + ff_in * db_a * db_a;
    t[AVG_GRAD_B * stride] = cc_in * db_b * db_b + ff_in * da_b * da_b;
    t[AVG_GRAD_N * stride] = cc_in * dn_n * dn_n;
    t[AVG_FLUX_NN * stride] = cc_in * n_centre * n * n_above;
    t[AVG_PN * stride] = cc_in * p * n_centre;
    t[AVG_PDA * stride] = cc_in * p * da_a;
    t[AVG_PDB * stride] = cc_in * p * db_b;
    t[AVG_N * stride] = cc * n;
    t[AVG_NN * stride] = cc * nn;
    t[AVG_NNN * stride] = cc * nn * n;
    t[AVG_NNNN * stride] = cc * nn * nn;
    t[AVG_AN * stride] = flux_a * 0.5 * (a_below + a);
    t[AVG_BN * stride] = flux_b * 0.5 * (b_below + b);
    t[AVG_FLUX_AA * stride] = flux_a * a_below * a;
    t[AVG_FLUX_BB * stride] = flux_b * b_below * b;
    t[AVG_OMEGA_A * stride] = cf * (db_n - dn_b) * (db_n - dn_b);
    t[AVG_OMEGA_B * stride] = fc * (dn_a - da_n) * (dn_a - da_n);
    t[AVG_SHEAR_A * stride] = fc * dn_a * dn_a;
    t[AVG_SHEAR_B * stride] = cf * dn_b * dn_b;
    t[AVG_SHEAR_N * stride] = fc * da_n * da_n + cf * db_n * db_n;
}

/* stress_beside: what one cell contributes to the budget of a shear stress. The stress is that of N, the
 * component normal to the walls, and U, one of the components A and B along them.
 *
 *   s          distance in memory to the next cell along the direction of U
 *   x, next    spacings along U, of this cell and of the one above
 *   across     width along the third direction
 *   z, above   spacings along n, of this level and of the one above */
struct stress_beside {
    double centre, face;          /* U of the cell, of the cell and the one below [U] */
    double strain_low, strain_up; /* dN_AT_U along U + dU along n on the two faces [1/T] */
    double flux_low, flux_up;     /* flux of N through these faces at the point of U [U L^2] */
};

HD struct stress_beside stress_beside_make(const real *u, const real *n, ptrdiff_t s, ptrdiff_t sn,
                                           ptrdiff_t o, struct plane_average_spacings x,
                                           struct plane_average_spacings next, double across,
                                           struct plane_average_spacings z,
                                           struct plane_average_spacings above)
{
    struct stress_beside r;
    const double below = 0.5 * ((double)u[o - sn] + (double)u[o + s - sn]),
                 here = 0.5 * ((double)u[o] + (double)u[o + s]),
                 over = 0.5 * ((double)u[o + sn] + (double)u[o + s + sn]);
    const double left = 0.5 * (x.below * n[o - s] + x.c * n[o]),
                 right = 0.5 * (x.c * n[o] + next.c * n[o + s]);
    const double left_up = 0.5 * (x.below * n[o - s + sn] + x.c * n[o + sn]),
                 right_up = 0.5 * (x.c * n[o + sn] + next.c * n[o + s + sn]);
    r.centre = here;
    r.face = 0.5 * (below + here);
    r.strain_low = (right * next.inv_f - left * x.inv_f) * x.inv_c + (here - below) * z.inv_f;
    r.strain_up = (right_up * next.inv_f - left_up * x.inv_f) * x.inv_c + (over - here) * above.inv_f;
    r.flux_low = left * across;
    r.flux_up = left_up * across;
    return r;
}

/* stress_edge: returns a mean over the two edges of a cell that lie one stride `s` apart. On each edge, u is
 * averaged over the two sides `t` and multiplied by the width f. The mean of both edges is half-half. */
HD double stress_edge(const real *u, ptrdiff_t s, ptrdiff_t t, ptrdiff_t o, struct plane_average_spacings x,
                      struct plane_average_spacings next)
{
    return 0.25 *
           (x.f * ((double)u[o - t] + (double)u[o]) + next.f * ((double)u[o + s - t] + (double)u[o + s]));
}

/* point_stress: puts the terms STRESS_ into t[sum * stride], as point_plane_average does. x_next and so on:
 * spacings of the neighbour above along each direction. */
HD void point_stress(struct plane_average_fields q, struct plane_average_frame d, ptrdiff_t o,
                     struct plane_average_spacings x, struct plane_average_spacings x_next,
                     struct plane_average_spacings y, struct plane_average_spacings y_next,
                     struct plane_average_spacings z, struct plane_average_spacings z_next, int centre,
                     double *KOL_RESTRICT t, ptrdiff_t stride)
{
    const struct stress_beside a = stress_beside_make(q.a, q.n, d.sa, d.sn, o, x, x_next, y.c, z, z_next),
                               b = stress_beside_make(q.b, q.n, d.sb, d.sn, o, y, y_next, x.c, z, z_next);
    const double cc = x.c * y.c, n_here = q.n[o], n_centre = 0.5 * (n_here + (double)q.n[o + d.sn]);
    const double pressure = cc * q.p[o], ca = q.ca[o], cb = q.cb[o], cn = q.cn[o], ma = q.ma[o], mb = q.mb[o],
                 mn = q.mn[o];
    const double da = ((double)q.a[o] - (double)q.a[o - d.sn]) * z.inv_f,
                 db = ((double)q.b[o] - (double)q.b[o - d.sn]) * z.inv_f;
    /* of A on the edges of the cell's two sides along b, and of B along a */
    const double b_edges = x.f * stress_edge(q.b, d.sb, d.sa, o, y, y_next),
                 a_edges = y.f * stress_edge(q.a, d.sa, d.sb, o, x, x_next);
    const double turned =
        stress_edge(q.b, d.sb, d.sa, o + d.sa, y, y_next) - stress_edge(q.b, d.sb, d.sa, o, y, y_next) +
        stress_edge(q.a, d.sa, d.sb, o + d.sb, x, x_next) - stress_edge(q.a, d.sa, d.sb, o, x, x_next);
    /* beyond the upper face of the box only one layer of velocity is valid: nothing else from there may
     * enter */
#define CENTRE(Q, VALUE) t[STRESS_##Q * stride] = centre ? (VALUE) : 0
    CENTRE(PA, pressure * a.centre);
    CENTRE(PB, pressure * b.centre);
    CENTRE(PAN_LOW, pressure * a.strain_low);
    CENTRE(PAN_UP, pressure * a.strain_up);
    CENTRE(PBN_LOW, pressure * b.strain_low);
    CENTRE(PBN_UP, pressure * b.strain_up);
    CENTRE(PAB, q.p[o] * turned);
    CENTRE(CAN_LOW, ca * a.flux_low);
    CENTRE(CAN_UP, ca * a.flux_up);
    CENTRE(CBN_LOW, cb * b.flux_low);
    CENTRE(CBN_UP, cb * b.flux_up);
    CENTRE(CAB, ca * b_edges + cb * a_edges);
    CENTRE(MAN_LOW, ma * a.flux_low);
    CENTRE(MAN_UP, ma * a.flux_up);
    CENTRE(MBN_LOW, mb * b.flux_low);
    CENTRE(MBN_UP, mb * b.flux_up);
    CENTRE(MAB, ma * b_edges + mb * a_edges);
    CENTRE(ANN, cc * a.centre * n_centre * n_centre);
    CENTRE(BNN, cc * b.centre * n_centre * n_centre);
    CENTRE(NN, cc * n_centre * n_centre);
    CENTRE(AA, cc * a.centre * a.centre);
    CENTRE(BB, cc * b.centre * b.centre);
    CENTRE(AB, cc * a.centre * b.centre);
    CENTRE(AAB, cc * a.centre * a.centre * b.centre);
    CENTRE(ABB, cc * a.centre * b.centre * b.centre);
    CENTRE(CNA, cc * cn * a.face);
    CENTRE(CNB, cc * cn * b.face);
    CENTRE(MNA, cc * mn * a.face);
    CENTRE(MNB, cc * mn * b.face);
#undef CENTRE
    t[STRESS_ABN * stride] = cc * n_here * a.face * b.face;
    t[STRESS_SHEAR_AAA * stride] = x.f * y.c * da * da * da;
    t[STRESS_SHEAR_BBB * stride] = x.c * y.f * db * db * db;
}

/* point_quadrants: puts the terms of the quadrants at index o of level k into t[sum * stride], as
 * point_plane_average does. */
HD void point_quadrants(struct plane_average_fields q, struct plane_average_frame d, ptrdiff_t o, int k,
                        struct plane_average_spacings x, struct plane_average_spacings y,
                        double *KOL_RESTRICT t, ptrdiff_t stride)
{
    const int second = q.quadrants.component;
    const real *const u = second ? q.b : q.a;
    const struct plane_average_spacings along = second ? y : x;
    const double area = along.f * (second ? x.c : y.c);
    const double here = 0.5 * ((double)u[o - d.sn] + (double)u[o]) - q.quadrants.centre[k];
    const double n = 0.5 * (along.below * q.n[o - (second ? d.sb : d.sa)] + along.c * q.n[o]) * along.inv_f;
    const double product = here * n, size = fabs(product);
    const int quadrant = n > 0 ? (here > 0 ? 0 : 1) : (here > 0 ? 3 : 2);
    for (int h = 0; h < QUADRANT_HOLES; ++h) {
        const int counted = q.quadrants.hole[h] >= 0 && size > q.quadrants.hole[h] * q.quadrants.product[k];
        for (int i = 0; i < QUADRANTS; ++i) {
            const double in = counted && quadrant == i ? area : 0;
            t[(2 * QUADRANTS * h + i) * stride] = in * product;
            t[(2 * QUADRANTS * h + QUADRANTS + i) * stride] = in;
        }
    }
}

#endif
