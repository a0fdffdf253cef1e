/* The terms of plane averages at one place of the staggered grid, written once for both backends. */
#ifndef KOL_POINT_AVERAGE_H
#define KOL_POINT_AVERAGE_H

#include "../average.h"

/* average_frame: which directions are normal to the walls (n) and homogeneous (a before b), and their strides. */
struct average_frame {
    int a, b, n;
    ptrdiff_t sa, sb, sn;
};

HD struct average_frame average_frame_make(struct box b, int normal)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    struct average_frame f;
    f.n = normal;
    f.a = normal == X ? Y : X;
    f.b = normal == Z ? Y : Z;
    f.sa = stride[f.a];
    f.sb = stride[f.b];
    f.sn = stride[f.n];
    return f;
}

/* average_cells: own cells along a direction. */
HD int average_cells(struct box b, int direction)
{
    return direction == X ? b.nx : direction == Y ? b.ny : b.nz;
}

/* average_spacings: along one direction, at a cell: its width and that of the cell below, distance of their centres; inverses. */
struct average_spacings {
    double c, below, f, inv_c, inv_f;
};

HD struct average_spacings average_spacings_make(struct metrics m, int direction, int i)
{
    const real *const c = direction == X ? m.dx_c : direction == Y ? m.dy_c : m.dz_c;
    const real *const f = direction == X ? m.dx_f : direction == Y ? m.dy_f : m.dz_f;
    const real *const inv_c = direction == X ? m.dxi_c : direction == Y ? m.dyi_c : m.dzi_c;
    const real *const inv_f = direction == X ? m.dxi_f : direction == Y ? m.dyi_f : m.dzi_f;
    struct average_spacings s;
    s.c = c[i];
    s.below = c[i - 1];
    s.f = f[i];
    s.inv_c = inv_c[i];
    s.inv_f = inv_f[i];
    return s;
}

/* average_fields: velocity components along a, b, n and pressure. */
struct average_fields {
    const real *a, *b, *n, *p;
};

/* point_average: the terms at index o, times their areas, into t[sum * stride]; centre: 0 at the upper face of the box, which has no
 * centre above it: what the arrays hold there is read and not used. */
HD void point_average(struct average_fields q, struct average_frame d, ptrdiff_t o, struct average_spacings x,
                      struct average_spacings y, struct average_spacings z, int centre,
                      double *KOL_RESTRICT t, ptrdiff_t stride)
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

#endif
