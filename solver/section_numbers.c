/* Lines along the walls and numbers of a flow that is homogeneous in one direction. */
#include <math.h>
#include <string.h>
#include "sections.h"

#define M(Q) (sample + s->sum_first[SPAN_##Q])

/* Sum over the places of a sum q, times widths along a and b: c at centres, e at faces; inner: without the boundaries in a, b. */
static double over_section(const struct sections *s, const double *sample, int q, int inner_a, int inner_b)
{
    const struct spans_place p = spans_place(s->n_g, s->along, q);
    const double *of_a = p.wide > s->cells[0] ? s->e[0] : s->c[0],
                 *of_b = p.high > s->cells[1] ? s->e[1] : s->c[1], *from = sample + s->sum_first[q];
    double all = 0;
    for (int j = inner_b; j < p.high - inner_b; ++j) {
        double row = 0;
        for (int i = inner_a; i < p.wide - inner_a; ++i) row += of_a[i] * from[(ptrdiff_t)j * p.wide + i];
        all += of_b[j] * row;
    }
    return all;
}

/* Velocities on boundaries are given, and dissipate nothing among themselves. */
static double squares(const struct sections *s, const double *sample)
{
    double all = 0;
    for (int q = SPAN_GRAD_S; q <= SPAN_GRAD_B; ++q) all += over_section(s, sample, q, 0, 0);
    all += over_section(s, sample, SPAN_DSA2, 0, 0) + over_section(s, sample, SPAN_DAS2, 1, 0);
    all += over_section(s, sample, SPAN_DSB2, 0, 0) + over_section(s, sample, SPAN_DBS2, 0, 1);
    return all + over_section(s, sample, SPAN_DAB2, 1, 0) + over_section(s, sample, SPAN_DBA2, 0, 1);
}

/* The gradient across a side, of the component along s or of that along the side, or its square. */
static int gradient_of(int line)
{
    static const int OF[2][2][2] = {{{SPAN_DSA, SPAN_DSB}, {SPAN_DBA, SPAN_DAB}},
                                    {{SPAN_DSA2, SPAN_DSB2}, {SPAN_DBA2, SPAN_DAB2}}};
    return OF[line >= LINE_RMS][line % LINE_RMS >= LINE_ALONG][line % 4 / 2];
}

/* Along a side the gradient across it by the viscosity, outward of the fluid, or the square of this. */
static void put_line(const struct sections *s, const double *sample, int line, double *out)
{
    const int side = line % 4, d = side / 2, high = side % 2, q = gradient_of(line);
    const struct spans_place p = spans_place(s->n_g, s->along, q);
    const ptrdiff_t step = d == 0 ? p.wide : 1,
                    end = high ? s->cells[d] * (d == 0 ? 1 : (ptrdiff_t)p.wide) : 0;
    const ptrdiff_t n = s->line_first[line + 1] - s->line_first[line];
    const double *from = sample + s->sum_first[q] + end, factor = line >= LINE_RMS ? s->nu * s->nu
                                                                  : high           ? -s->nu
                                                                                   : s->nu;
    for (ptrdiff_t k = 0; k < n; ++k)
        out[s->line_first[line] + k] = s->rough[side] ? factor * from[k * step] : 0;
}

void sections_numbers(const struct sections *s, const double *sample, double *out)
{
    const int of_stream = s->stream == s->along ? SPAN_S : s->stream == s->a ? SPAN_A : SPAN_B;
    double *number = out + s->line_first[LINES], area = 0;
    for (int line = 0; line < LINES; ++line) put_line(s, sample, line, out);
    for (int j = 0; j < s->cells[1]; ++j)
        for (int i = 0; i < s->cells[0]; ++i) area += s->c[0][i] * s->c[1][j];
    number[NUMBER_BULK] = over_section(s, sample, of_stream, 0, 0) / area;
    number[NUMBER_ENERGY] = 0.5 *
                            (over_section(s, sample, SPAN_SS, 0, 0) + over_section(s, sample, SPAN_AA, 0, 0) +
                             over_section(s, sample, SPAN_BB, 0, 0)) /
                            area;
    number[NUMBER_DISSIPATION] = s->nu * squares(s, sample) / area;
}

/* The force on a side along the stream, over its length; 0 where it does not drag. *length: of the sides that do. */
static double side_force(const struct sections *s, const double *mean, int side, double *length)
{
    const int d = side / 2, other = 1 - d, faces = s->stream != s->along;
    const double *line = mean + s->line_first[side + (faces ? LINE_ALONG : LINE_S)];
    const double *width = faces ? s->e[other] : s->c[other];
    double force = 0;
    if (!s->rough[side] || (d == 0 ? s->a : s->b) == s->stream) return 0;
    for (int k = 0; k < s->cells[other] + faces; ++k) force += width[k] * line[k];
    for (int k = 0; k < s->cells[other]; ++k) *length += s->c[other][k];
    return force;
}

/* Where a side meets an open face the velocity along it is that through the face, given, and has no gradient here: the stress is missing. */
static void drop_ends(const struct sections *s, double *out)
{
    for (int line = 0; line < LINES; ++line) {
        const int other = 1 - line % 4 / 2;
        double *value = out + s->line_first[line];
        if (line % LINE_RMS < LINE_ALONG) continue;
        if (s->open[2 * other]) value[0] = NAN;
        if (s->open[2 * other + 1]) value[s->cells[other]] = NAN;
    }
}

void sections_derive_numbers(const void *context, const double *mean, double *out)
{
    const struct sections *s = context;
    const double *number = mean + s->line_first[LINES];
    double *scalar = out + s->line_first[LINES], force = 0, length = 0;
    memcpy(out, mean, (size_t)s->line_first[LINE_RMS] * sizeof *out);
    for (ptrdiff_t k = 0, rms = s->line_first[LINE_RMS]; k < rms; ++k)
        out[rms + k] = sqrt(fmax(mean[rms + k] - mean[k] * mean[k], 0));
    for (int side = 0; side < 4; ++side) force += fabs(side_force(s, mean, side, &length));
    drop_ends(s, out);
    const double u_tau = length > 0 ? sqrt(force / length) : NAN, bulk = number[NUMBER_BULK];
    scalar[SECTION_U_TAU] = u_tau;
    scalar[SECTION_RE_TAU] = s->nu > 0 ? u_tau * s->delta / s->nu : NAN;
    scalar[SECTION_U_B] = bulk;
    scalar[SECTION_RE_B] = s->nu > 0 ? bulk * s->diameter / s->nu : NAN;
    scalar[SECTION_FRICTION] = bulk != 0 ? 2 * pow(u_tau / bulk, 2) : NAN;
    scalar[SECTION_FRICTION_FACTOR] = 4 * scalar[SECTION_FRICTION];
    scalar[SECTION_ENERGY] = number[NUMBER_ENERGY];
    scalar[SECTION_DISSIPATION] = number[NUMBER_DISSIPATION];
    scalar[SECTION_FORCE] = number[NUMBER_FORCE];
}
