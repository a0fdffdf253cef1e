/* Computes lines along the walls, and numbers, of a flow that is homogeneous in one direction. */
#include <math.h>
#include <string.h>
#include "kernels/point/section_sample.h"
#include "section_fields.h"

/* Adds up a row over the points of a sum along a, upwards. Weights are c at centres and e at faces. */
static double row_of(const struct section_fields *s, struct section_sample_weights w, const double *sample,
                     int q, int j)
{
    const int wide = section_sums_place(s->n_g, s->along, q).wide;
    return point_section_row(sample + s->sum_first[q] + (ptrdiff_t)j * wide,
                             wide > s->cells[0] ? w.face : w.centre, wide, 1, (int)(w.inner >> q & 1));
}

static unsigned long long bit(int q)
{
    return 1ull << q;
}
_Static_assert(LINE_SUM_COUNT <= 64, "a bit for each sum");

static int sum_of_stream(const struct section_fields *s)
{
    return s->stream == s->along ? LINE_SUM_S : s->stream == s->a ? LINE_SUM_A : LINE_SUM_B;
}

/* Weights of the section's points. The velocities on a boundary are given, so gradients along it are left out
 * of the dissipation; this function does so at the ends of a. */
struct section_sample_weights section_fields_weigh(const struct section_fields *s)
{
    const unsigned long long inner = bit(LINE_SUM_DAS2) | bit(LINE_SUM_DAB2),
                             energy = bit(LINE_SUM_SS) | bit(LINE_SUM_AA) | bit(LINE_SUM_BB),
                             squares = bit(LINE_SUM_GRAD_S) | bit(LINE_SUM_GRAD_A) | bit(LINE_SUM_GRAD_B) |
                                       bit(LINE_SUM_DSA2) | bit(LINE_SUM_DSB2) | bit(LINE_SUM_DBS2) |
                                       bit(LINE_SUM_DBA2);
    return (struct section_sample_weights){s->c[0], s->e[0], bit(sum_of_stream(s)) | energy | squares | inner,
                                           inner};
}

/* Adds up the rows of a sum q, times the widths along b. inner: without the boundaries in b. */
static double over_section(const struct section_fields *s, const double *few, int q, int inner)
{
    const int high = section_sums_place(s->n_g, s->along, q).high;
    const double *of_b = high > s->cells[1] ? s->e[1] : s->c[1], *row = few + s->row_first[q];
    double all = 0;
    for (int j = inner; j < high - inner; ++j) all += of_b[j] * row[j];
    return all;
}

static double squares(const struct section_fields *s, const double *few)
{
    double all = 0;
    for (int q = LINE_SUM_GRAD_S; q <= LINE_SUM_GRAD_B; ++q) all += over_section(s, few, q, 0);
    all += over_section(s, few, LINE_SUM_DSA2, 0) + over_section(s, few, LINE_SUM_DAS2, 0);
    all += over_section(s, few, LINE_SUM_DSB2, 0) + over_section(s, few, LINE_SUM_DBS2, 1);
    return all + over_section(s, few, LINE_SUM_DAB2, 0) + over_section(s, few, LINE_SUM_DBA2, 1);
}

/* Which gradient across a side a line has: of the component along s, or of that along the side; or its
 * square. */
static int gradient_of(int line)
{
    static const int OF[2][2][2] = {{{LINE_SUM_DSA, LINE_SUM_DSB}, {LINE_SUM_DBA, LINE_SUM_DAB}},
                                    {{LINE_SUM_DSA2, LINE_SUM_DSB2}, {LINE_SUM_DBA2, LINE_SUM_DAB2}}};
    return OF[line >= LINE_RMS][line % LINE_RMS >= LINE_ALONG][line % 4 / 2];
}

/* Place of value k of a line in a sample. */
static ptrdiff_t place_of(const struct section_fields *s, int line, ptrdiff_t k)
{
    const int d = line % 4 / 2, end = line % 2 ? s->cells[d] : 0, q = gradient_of(line);
    const ptrdiff_t wide = section_sums_place(s->n_g, s->along, q).wide;
    return s->sum_first[q] + (d == 0 ? k * wide + end : end * wide + k);
}

void section_fields_places(const struct section_fields *s, ptrdiff_t *place)
{
    for (int line = 0; line < LINES; ++line)
        for (ptrdiff_t k = s->line_first[line]; k < s->line_first[line + 1]; ++k)
            place[k] = place_of(s, line, k - s->line_first[line]);
}

ptrdiff_t section_fields_few(const struct section_fields *s)
{
    return s->row_first[LINE_SUM_COUNT] + s->line_first[LINES];
}

/* Computes the viscous stress along a side, from the gradient across it, outward of the fluid; or its
 * square. */
static void put_line(const struct section_fields *s, const double *gradient, int line, double *out)
{
    const int side = line % 4, high = side % 2;
    const double factor = line >= LINE_RMS ? s->nu * s->nu : high ? -s->nu : s->nu;
    for (ptrdiff_t k = s->line_first[line]; k < s->line_first[line + 1]; ++k)
        out[k] = s->rough[side] ? factor * gradient[k] : 0;
}

void section_fields_numbers_of(const struct section_fields *s, const double *few, double *out)
{
    double *number = out + s->line_first[LINES];
    for (int line = 0; line < LINES; ++line) put_line(s, few + s->row_first[LINE_SUM_COUNT], line, out);
    number[NUMBER_BULK] = over_section(s, few, sum_of_stream(s), 0) / s->area;
    number[NUMBER_ENERGY] = 0.5 *
                            (over_section(s, few, LINE_SUM_SS, 0) + over_section(s, few, LINE_SUM_AA, 0) +
                             over_section(s, few, LINE_SUM_BB, 0)) /
                            s->area;
    number[NUMBER_DISSIPATION] = s->nu * squares(s, few) / s->area;
}

void section_fields_numbers(const struct section_fields *s, const double *sample, double *few, double *out)
{
    const struct section_sample_weights w = section_fields_weigh(s);
    double *gradient = few + s->row_first[LINE_SUM_COUNT];
    for (int q = 0; q < LINE_SUM_COUNT; ++q)
        for (ptrdiff_t j = s->row_first[q]; j < s->row_first[q + 1] && (w.wanted & bit(q)); ++j)
            few[j] = row_of(s, w, sample, q, (int)(j - s->row_first[q]));
    for (int line = 0; line < LINES; ++line)
        for (ptrdiff_t k = s->line_first[line]; k < s->line_first[line + 1]; ++k)
            gradient[k] = sample[place_of(s, line, k - s->line_first[line])];
    section_fields_numbers_of(s, few, out);
}

/* Force of the stream on a side, per length of the homogeneous direction; 0 if the side is no no-slip wall
 * along the stream. *length: the sum over the sides that are. */
static double side_force(const struct section_fields *s, const double *mean, int side, double *length)
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

/* Marks stresses as missing where a side meets an open face. The velocity along the side is there the one
 * given through the open face, so there is no gradient to compute. */
static void drop_ends(const struct section_fields *s, double *out)
{
    for (int line = 0; line < LINES; ++line) {
        const int other = 1 - line % 4 / 2;
        double *value = out + s->line_first[line];
        if (line % LINE_RMS < LINE_ALONG) continue;
        if (s->open[2 * other]) value[0] = NAN;
        if (s->open[2 * other + 1]) value[s->cells[other]] = NAN;
    }
}

void section_fields_derive_numbers(const void *context, const double *mean, double *out)
{
    const struct section_fields *s = context;
    const double *number = mean + s->line_first[LINES];
    double *scalar = out + s->line_first[LINES], force = 0, length = 0;
    memcpy(out, mean, (size_t)s->line_first[LINE_RMS] * sizeof *out);
    for (ptrdiff_t k = 0, rms = s->line_first[LINE_RMS]; k < rms; ++k)
        out[rms + k] = sqrt(fmax(mean[rms + k] - mean[k] * mean[k], 0));
    for (int side = 0; side < 4; ++side) force += fabs(side_force(s, mean, side, &length));
    drop_ends(s, out);
    const double u_tau = length > 0 ? sqrt(force / length) : NAN, bulk = number[NUMBER_BULK] - s->frame;
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
