/* The terms of averages over one homogeneous direction, at one place of the staggered grid, for both
 * backends. */
#ifndef KOL_POINT_LINE_AVERAGE_H
#define KOL_POINT_LINE_AVERAGE_H

#include "../line_average.h"
#include "plane_average.h"

/* line_average_frame: the homogeneous direction s, and the directions a and b of the cross-section (a comes
 * before b), with their strides. */
struct line_average_frame {
    int s, a, b;
    ptrdiff_t ss, sa, sb;
};

HD struct line_average_frame line_average_frame_make(struct box b, int along)
{
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    struct line_average_frame f;
    f.s = along;
    f.a = along == X ? Y : X;
    f.b = along == Z ? Y : Z;
    f.ss = stride[f.s];
    f.sa = stride[f.a];
    f.sb = stride[f.b];
    return f;
}

/* line_average_values: velocity components along s, a, b, and pressure. */
struct line_average_values {
    const real *s, *a, *b, *p;
};

/* line_average_powers: computes u, u^2, u^3, u^4 times the length l. If there is no such place, the results
 * are 0. */
HD void line_average_powers(int there, double l, double u, double t[4])
{
    const double square = u * u;
    t[0] = there ? l * u : 0;
    t[1] = there ? l * square : 0;
    t[2] = there ? l * (square * u) : 0;
    t[3] = there ? l * (square * square) : 0;
}

/* point_line_average: puts the terms at index o, times their lengths, into t[sum * stride].
 *
 *   s, a, b      spacings
 *   in_a, in_b   0 at the upper face of the box in that direction, which has no centre above it. The arrays
 *                are read there, but the values are not used. */
HD void point_line_average(struct line_average_values q, struct line_average_frame d, ptrdiff_t o,
                           struct plane_average_spacings s, struct plane_average_spacings a,
                           struct plane_average_spacings b, int in_a, int in_b, double *KOL_RESTRICT t,
                           ptrdiff_t stride)
{
    const int in = in_a && in_b;
    const double us = q.s[o], ua = q.a[o], ub = q.b[o], p = q.p[o];
    const double s_al = q.s[o - d.sa], s_bl = q.s[o - d.sb], a_bl = q.a[o - d.sb], b_al = q.b[o - d.sa];
    const double a_sl = q.a[o - d.ss], b_sl = q.b[o - d.ss];
    const double s_sh = q.s[o + d.ss], a_ah = q.a[o + d.sa], b_bh = q.b[o + d.sb];
    const double middle_a = 0.5 * (ua + a_ah), middle_b = 0.5 * (ub + b_bh);
    const double dss = (s_sh - us) * s.inv_c, daa = (a_ah - ua) * a.inv_c, dbb = (b_bh - ub) * b.inv_c;
    const double dsa = (us - s_al) * a.inv_f, das = (ua - a_sl) * s.inv_f;
    const double dsb = (us - s_bl) * b.inv_f, dbs = (ub - b_sl) * s.inv_f;
    const double dab = (ua - a_bl) * b.inv_f, dba = (ub - b_al) * a.inv_f;
    const double flux_sa = 0.5 * (s.below * a_sl + s.c * ua) * (0.5 * (s_al + us)),
                 flux_sb = 0.5 * (s.below * b_sl + s.c * ub) * (0.5 * (s_bl + us));
    const double flux_ab = 0.5 * (a.below * b_al + a.c * ub) * a.inv_f * (0.5 * (a_bl + ua)),
                 flux_ba = 0.5 * (b.below * a_bl + b.c * ua) * b.inv_f * (0.5 * (b_al + ub));
    double power[4];
    line_average_powers(in, s.f, us, power);
    t[LINE_SUM_S * stride] = power[0];
    t[LINE_SUM_SS * stride] = power[1];
    t[LINE_SUM_SSS * stride] = power[2];
    t[LINE_SUM_SSSS * stride] = power[3];
    t[LINE_SUM_P * stride] = in ? s.c * p : 0;
    t[LINE_SUM_PP * stride] = in ? s.c * (p * p) : 0;
    t[LINE_SUM_FLUX_AA * stride] = in ? s.c * (middle_a * middle_a) : 0;
    t[LINE_SUM_FLUX_BB * stride] = in ? s.c * (middle_b * middle_b) : 0;
    t[LINE_SUM_GRAD_S * stride] = in ? s.c * (dss * dss) : 0;
    t[LINE_SUM_GRAD_A * stride] = in ? s.c * (daa * daa) : 0;
    t[LINE_SUM_GRAD_B * stride] = in ? s.c * (dbb * dbb) : 0;
    line_average_powers(in_b, s.c, ua, power);
    t[LINE_SUM_A * stride] = power[0];
    t[LINE_SUM_AA * stride] = power[1];
    t[LINE_SUM_AAA * stride] = power[2];
    t[LINE_SUM_AAAA * stride] = power[3];
    t[LINE_SUM_SA * stride] = in_b ? flux_sa : 0;
    t[LINE_SUM_DSA * stride] = in_b ? s.f * dsa : 0;
    t[LINE_SUM_DSA2 * stride] = in_b ? s.f * (dsa * dsa) : 0;
    t[LINE_SUM_DAS2 * stride] = in_b ? s.f * (das * das) : 0;
    t[LINE_SUM_OMEGA_B * stride] = in_b ? s.f * ((dsa - das) * (dsa - das)) : 0;
    line_average_powers(in_a, s.c, ub, power);
    t[LINE_SUM_B * stride] = power[0];
    t[LINE_SUM_BB * stride] = power[1];
    t[LINE_SUM_BBB * stride] = power[2];
    t[LINE_SUM_BBBB * stride] = power[3];
    t[LINE_SUM_SB * stride] = in_a ? flux_sb : 0;
    t[LINE_SUM_DSB * stride] = in_a ? s.f * dsb : 0;
    t[LINE_SUM_DSB2 * stride] = in_a ? s.f * (dsb * dsb) : 0;
    t[LINE_SUM_DBS2 * stride] = in_a ? s.f * (dbs * dbs) : 0;
    t[LINE_SUM_OMEGA_A * stride] = in_a ? s.f * ((dsb - dbs) * (dsb - dbs)) : 0;
    t[LINE_SUM_FLUX_AB * stride] = s.c * flux_ab;
    t[LINE_SUM_FLUX_BA * stride] = s.c * flux_ba;
    t[LINE_SUM_DAB * stride] = s.c * dab;
    t[LINE_SUM_DBA * stride] = s.c * dba;
    t[LINE_SUM_DAB2 * stride] = s.c * (dab * dab);
    t[LINE_SUM_DBA2 * stride] = s.c * (dba * dba);
    t[LINE_SUM_OMEGA_S * stride] = s.c * ((dab - dba) * (dab - dba));
}

#endif
