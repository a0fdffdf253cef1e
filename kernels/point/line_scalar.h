/* The terms of averages of a scalar over one homogeneous direction, at one place of the section, for both
 * backends. */
#ifndef KOL_POINT_LINE_SCALAR_H
#define KOL_POINT_LINE_SCALAR_H

#include "../line_scalar.h"
#include "line_average.h"

/* line_scalar_values: the velocity components along s, a, b, and the scalar. */
struct line_scalar_values {
    const real *s, *a, *b, *theta;
};

/* point_line_scalar: adds the terms of the cell at index o, times its width c along s, to sum. in_a, in_b: 0
 * at the upper face of the box in that direction, which has no cell above it. */
HD void point_line_scalar(struct line_scalar_values q, struct line_average_frame d, ptrdiff_t o, double c,
                          int in_a, int in_b, double sum[LINE_T_COUNT])
{
    const double t = q.theta[o], square = t * t;
    const double s = 0.5 * ((double)q.s[o] + (double)q.s[o + d.ss]), a = q.a[o], b = q.b[o];
    const double at_a = 0.5 * ((double)q.theta[o - d.sa] + t), at_b = 0.5 * ((double)q.theta[o - d.sb] + t);
    if (in_a && in_b) {
        sum[LINE_T_T] += c * t;
        sum[LINE_T_TT] += c * square;
        sum[LINE_T_TTT] += c * (square * t);
        sum[LINE_T_TTTT] += c * (square * square);
        sum[LINE_T_S] += c * s;
        sum[LINE_T_TS] += c * (s * t);
    }
    if (in_b) {
        sum[LINE_T_A] += c * a;
        sum[LINE_T_TA] += c * (a * at_a);
    }
    if (in_a) {
        sum[LINE_T_B] += c * b;
        sum[LINE_T_TB] += c * (b * at_b);
    }
}

/* point_line_scalar_place: computes the sums at place (i, j) of the section and puts them to sums[q stride].
 */
HD void point_line_scalar_place(struct line_scalar_values q, struct line_average_frame d, struct box b,
                                struct metrics m, struct blocks bl, int onto, int i, int j, double *sums,
                                ptrdiff_t stride)
{
    const int *const start = d.s == X ? bl.x : d.s == Y ? bl.y : bl.z;
    const real *const width = d.s == X ? m.dx_c : d.s == Y ? m.dy_c : m.dz_c;
    const int blocks = d.s == X ? bl.nx : d.s == Y ? bl.ny : bl.nz;
    const int in_a = i < plane_average_cells(b, d.a), in_b = j < plane_average_cells(b, d.b);
    const ptrdiff_t o = b.start + i * d.sa + j * d.sb;
    double all[LINE_T_COUNT];
    for (int n = 0; n < LINE_T_COUNT; ++n) all[n] = onto ? sums[n * stride] : 0;
    for (int block = 0; block < blocks; ++block) {
        double sum[LINE_T_COUNT];
        for (int n = 0; n < LINE_T_COUNT; ++n) sum[n] = 0;
        for (int s = start[block]; s < start[block + 1]; ++s)
            point_line_scalar(q, d, o + s * d.ss, (double)width[s], in_a, in_b, sum);
        for (int n = 0; n < LINE_T_COUNT; ++n) all[n] += sum[n];
    }
    for (int n = 0; n < LINE_T_COUNT; ++n) sums[n * stride] = all[n];
}

#endif
