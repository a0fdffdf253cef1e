/* The terms of budgets of a scalar over one homogeneous direction, at one place of the section, for both
 * backends. */
#ifndef KOL_POINT_LINE_BUDGET_H
#define KOL_POINT_LINE_BUDGET_H

#include "../line_budget.h"
#include "line_average.h"

/* line_budget_axis: what belongs to a direction: the velocity along it, its rates and the buoyancy; inverse
 * widths and distances; the stride of an index. */
struct line_budget_axis {
    const real *u, *convection, *momentum, *buoyancy;
    const real *inv_c, *inv_f;
    ptrdiff_t stride;
};

/* line_budget_fields: the axes s, a, b, and the fields. */
struct line_budget_fields {
    struct line_budget_axis axis[3];
    const real *theta, *convection, *transport, *p;
    const real *width;
    unsigned held; /* bits 2 d + side, d in the order s, a, b */
    int last[3];   /* the last cell of the box along s, a, b */
};

HD struct line_budget_fields line_budget_fields_make(struct line_average_frame d, struct box b,
                                                     struct metrics m, real *const vel[3],
                                                     const struct line_budget *f)
{
    const int direction[3] = {d.s, d.a, d.b}, cells[3] = {b.nx, b.ny, b.nz};
    const ptrdiff_t stride[3] = {1, b.sy, b.sz};
    const real *const inv_c[3] = {m.dxi_c, m.dyi_c, m.dzi_c}, *const inv_f[3] = {m.dxi_f, m.dyi_f, m.dzi_f},
                      *const width[3] = {m.dx_c, m.dy_c, m.dz_c};
    struct line_budget_fields q;
    q.theta = f->theta;
    q.convection = f->convection;
    q.transport = f->transport;
    q.p = f->p;
    q.width = width[d.s];
    q.held = 0;
    for (int n = 0; n < 3; ++n) {
        const int e = direction[n];
        q.axis[n].u = vel[e];
        q.axis[n].convection = f->u_convection[e];
        q.axis[n].momentum = f->u_momentum[e];
        q.axis[n].buoyancy = f->buoyancy[e];
        q.axis[n].inv_c = inv_c[e];
        q.axis[n].inv_f = inv_f[e];
        q.axis[n].stride = stride[e];
        q.last[n] = cells[e] - 1;
        q.held |= (f->held >> (2 * e) & 3u) << (2 * n);
    }
    return q;
}

/* line_budget_faces: of a cell along one direction: whether the velocity on the lower and the upper face is
 * an unknown, and inverse distances and width. */
struct line_budget_faces {
    int low, high;
    double inv_low, inv_high, inv_c;
};

HD struct line_budget_faces line_budget_faces_make(const struct line_budget_fields *q, int n, int i)
{
    struct line_budget_faces r;
    r.low = !(i == 0 && (q->held >> (2 * n) & 1u));
    r.high = !(i == q->last[n] && (q->held >> (2 * n + 1) & 1u));
    r.inv_low = q->axis[n].inv_f[i];
    r.inv_high = q->axis[n].inv_f[i + 1];
    r.inv_c = q->axis[n].inv_c[i];
    return r;
}

/* line_budget_mean: returns the mean of a rate on both faces of a cell; on faces that are held it is 0. */
HD double line_budget_mean(const real *rate, ptrdiff_t o, ptrdiff_t stride, struct line_budget_faces f)
{
    return 0.5 * ((f.low ? (double)rate[o] : 0) + (f.high ? (double)rate[o + stride] : 0));
}

/* line_budget_velocity: returns the velocity along n in the cell at o. */
HD double line_budget_velocity(const struct line_budget_fields *q, int n, ptrdiff_t o)
{
    return 0.5 * ((double)q->axis[n].u[o] + (double)q->axis[n].u[o + q->axis[n].stride]);
}

/* line_budget_slope: returns the half-half mean of two gradients. */
HD double line_budget_slope(struct line_budget_faces f, double low, double here, double high)
{
    return 0.5 * ((here - low) * f.inv_low + (high - here) * f.inv_high);
}

/* line_budget_across: returns the gradient along e of the velocity along n. */
HD double line_budget_across(const struct line_budget_fields *q, int n, int e, struct line_budget_faces f,
                             ptrdiff_t o)
{
    const ptrdiff_t step = q->axis[e].stride;
    return line_budget_slope(f, line_budget_velocity(q, n, o - step), line_budget_velocity(q, n, o),
                             line_budget_velocity(q, n, o + step));
}

/* line_budget_direction: adds what direction n has, times the width c. */
HD void line_budget_direction(const struct line_budget_fields *q, int n, struct line_budget_faces f,
                              ptrdiff_t o, double c, double *sum)
{
    const struct line_budget_axis x = q->axis[n];
    const double t = q->theta[o], low = q->theta[o - x.stride], high = q->theta[o + x.stride], p = q->p[o];
    const double u = line_budget_velocity(q, n, o), uc = line_budget_mean(x.convection, o, x.stride, f),
                 um = line_budget_mean(x.momentum, o, x.stride, f);
    const double push = 0.5 * ((f.low ? (p - (double)q->p[o - x.stride]) * f.inv_low : 0) +
                               (f.high ? ((double)q->p[o + x.stride] - p) * f.inv_high : 0));
    sum[LINE_B_GRAD] +=
        c * (0.5 * f.inv_c * ((t - low) * (t - low) * f.inv_low + (high - t) * (high - t) * f.inv_high));
    sum[LINE_B_CONVECTION + n] += c * (t * uc + u * (double)q->convection[o]);
    sum[LINE_B_TRANSPORT + n] += c * (t * um + u * (double)q->transport[o]);
    sum[LINE_B_UC + n] += c * uc;
    sum[LINE_B_UM + n] += c * um;
    sum[LINE_B_PRESSURE + n] += c * (t * push);
    sum[LINE_B_STRAIN + n] += c * (p * line_budget_slope(f, low, t, high));
    if (x.buoyancy == NULL) return;
    const double lift = line_budget_mean(x.buoyancy, o, x.stride, f);
    sum[LINE_B_TIMES_BUOYANCY + n] += c * (t * lift);
    sum[LINE_B_BUOYANCY + n] += c * lift;
}

/* point_line_budget: adds the terms of the cell at index o, times its width c along s, to sum. */
HD void point_line_budget(const struct line_budget_fields *q, const struct line_budget_faces f[3],
                          ptrdiff_t o, double c, double sum[LINE_B_COUNT])
{
    const ptrdiff_t sa = q->axis[1].stride, sb = q->axis[2].stride;
    const double t = q->theta[o], s = line_budget_velocity(q, 0, o), a = line_budget_velocity(q, 1, o),
                 b = line_budget_velocity(q, 2, o), ct = q->convection[o], mt = q->transport[o];
    sum[LINE_B_C] += c * ct;
    sum[LINE_B_TC] += c * (t * ct);
    sum[LINE_B_M] += c * mt;
    sum[LINE_B_TM] += c * (t * mt);
    sum[LINE_B_DTA] += c * line_budget_slope(f[1], q->theta[o - sa], t, q->theta[o + sa]);
    sum[LINE_B_DTB] += c * line_budget_slope(f[2], q->theta[o - sb], t, q->theta[o + sb]);
    sum[LINE_B_DSA] += c * line_budget_across(q, 0, 1, f[1], o);
    sum[LINE_B_DSB] += c * line_budget_across(q, 0, 2, f[2], o);
    sum[LINE_B_DAB] += c * line_budget_across(q, 1, 2, f[2], o);
    sum[LINE_B_DBA] += c * line_budget_across(q, 2, 1, f[1], o);
    sum[LINE_B_TA] += c * (t * a);
    sum[LINE_B_TB] += c * (t * b);
    sum[LINE_B_SS] += c * (s * s);
    sum[LINE_B_AA] += c * (a * a);
    sum[LINE_B_BB] += c * (b * b);
    sum[LINE_B_SA] += c * (s * a);
    sum[LINE_B_SB] += c * (s * b);
    sum[LINE_B_AB] += c * (a * b);
    sum[LINE_B_P] += c * (double)q->p[o];
    for (int n = 0; n < 3; ++n) line_budget_direction(q, n, f[n], o, c, sum);
}

/* point_line_budget_place: computes the sums at place (i, j) of the section and puts them to sums[q stride].
 * At the upper faces of the box they are 0. */
HD void point_line_budget_place(const struct line_budget_fields *q, struct line_average_frame d, struct box b,
                                struct blocks bl, int onto, int i, int j, double *sums, ptrdiff_t stride)
{
    const int *const start = d.s == X ? bl.x : d.s == Y ? bl.y : bl.z;
    const int blocks = d.s == X   ? bl.nx
                       : d.s == Y ? bl.ny
                                  : bl.nz,
              count = q->axis[0].buoyancy != NULL ? (int)LINE_B_COUNT : (int)LINE_B_CALM;
    const int inside = i <= q->last[1] && j <= q->last[2];
    const ptrdiff_t o = b.start + i * d.sa + j * d.sb;
    struct line_budget_faces f[3];
    double all[LINE_B_COUNT];
    for (int n = 0; n < count; ++n) all[n] = onto ? sums[n * stride] : 0;
    for (int block = 0; block < blocks && inside; ++block) {
        double sum[LINE_B_COUNT];
        for (int n = 0; n < LINE_B_COUNT; ++n) sum[n] = 0;
        f[1] = line_budget_faces_make(q, 1, i);
        f[2] = line_budget_faces_make(q, 2, j);
        for (int s = start[block]; s < start[block + 1]; ++s) {
            f[0] = line_budget_faces_make(q, 0, s);
            point_line_budget(q, f, o + s * d.ss, (double)q->width[s], sum);
        }
        for (int n = 0; n < count; ++n) all[n] += sum[n];
    }
    for (int n = 0; n < count; ++n) sums[n * stride] = all[n];
}

#endif
