/* Makes the content of statistics.nc of a flow that is homogeneous in one direction. */
#include "section_netcdf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "section_errors.h"
#include "section_scalars.h"

enum { AXIS_A, AXIS_B, AXIS_A_FACE, AXIS_B_FACE };
enum { OTHERS = NETCDF_CONTENT_SAMPLES + 5, DISTANCES = 2 };

/* frame: the content and the section. */
struct frame {
    struct netcdf_content *content;
    const struct section_fields *s;
};

static const char *const LETTER[3] = {"x", "y", "z"}, *const FACE[3] = {"x_face", "y_face", "z_face"};

static struct stats_variable *add(struct frame f, const struct section_entry *e, const char *suffix,
                                  struct section_sums_place p, const double *value)
{
    char name[NETCDF_CONTENT_NAME - 16], words[NETCDF_CONTENT_WORDS];
    section_fields_name(f.s, e->name, name, sizeof name);
    section_fields_name(f.s, e->long_name, words, sizeof words);
    const struct netcdf_content_entry entry = {name, words, suffix[0] != '\0' ? "1" : e->unit};
    struct stats_variable *v =
        netcdf_content_add(f.content, entry, suffix, p.wide > f.s->cells[0] ? AXIS_A_FACE : AXIS_A, value);
    v->outer = 1 + (p.high > f.s->cells[1] ? AXIS_B_FACE : AXIS_B);
    v->methods = NETCDF_CONTENT_MEAN;
    return v;
}

/* Adds the fields. plus_error: NULL if there are no wall units. */
static void add_fields(struct frame f, const double *value, const double *error, const double *plus_error,
                       double u_tau)
{
    const struct section_fields *s = f.s;
    for (int n = 0; n < FIELDS; ++n) {
        const struct section_entry *e = &section_field_entries[n];
        const struct section_sums_place p = section_fields_place(s, n);
        const ptrdiff_t first = s->field_first[n], count = s->field_first[n + 1] - first;
        add(f, e, "", p, value + first)->error = error + first;
        if (plus_error == NULL || (e->velocity == 0 && e->length == 0)) continue;
        const double scale = section_fields_wall_unit(s, n, u_tau);
        double *plus = netcdf_content_numbers(f.content, count);
        for (ptrdiff_t k = 0; k < count; ++k) plus[k] = value[first + k] / scale;
        add(f, e, "_plus", p, plus)->error = plus_error + first;
    }
}

static void add_sums(struct frame f, const double *sum)
{
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        struct stats_variable *v = add(f, &section_sum_entries[q], "",
                                       section_sums_place(f.s->n_g, f.s->along, q), sum + f.s->sum_first[q]);
        v->group = "raw";
        v->methods = NETCDF_CONTENT_SUM;
    }
}

static void add_line(struct frame f, int line, const double *value, const double *error)
{
    const struct section_fields *s = f.s;
    const int side = line % 4, along = line % LINE_RMS >= LINE_ALONG, rms = line >= LINE_RMS, d = side / 2;
    const int normal = d == 0 ? s->a : s->b, component = !along ? s->along : d == 0 ? s->b : s->a;
    char name[NETCDF_CONTENT_NAME], words[NETCDF_CONTENT_WORDS];
    if (!s->rough[side]) return;
    snprintf(name, sizeof name, "wall_stress_%c_%c_%s%s", "uvw"[component], "xyz"[normal],
             side % 2 ? "high" : "low", rms ? "_rms" : "");
    snprintf(words, sizeof words, "%sforce of the fluid along %c on the %s wall in %c, over area and density",
             rms ? "root mean square of the fluctuation of the " : "", "xyz"[component],
             side % 2 ? "upper" : "lower", "xyz"[normal]);
    const int axis = (d == 0 ? AXIS_B : AXIS_A) + (along ? AXIS_A_FACE - AXIS_A : 0);
    struct stats_variable *v = netcdf_content_add(f.content, (struct netcdf_content_entry){name, words, "U2"},
                                                  "", axis, value + s->line_first[line]);
    v->error = error + s->line_first[line];
    v->methods = NETCDF_CONTENT_MEAN;
}

/* Whether a number is written. Without no-slip walls along the stream there is no friction. */
static int is_there(const struct section_fields *s, int scalar)
{
    const int drags = !isnan(s->diameter);
    return drags || !(scalar == SECTION_U_TAU || scalar == SECTION_RE_TAU || scalar == SECTION_RE_B ||
                      scalar == SECTION_FRICTION || scalar == SECTION_FRICTION_FACTOR);
}

static void add_numbers(struct frame f, const double *value, const double *error)
{
    const ptrdiff_t first = f.s->line_first[LINES];
    for (int line = 0; line < LINES; ++line) add_line(f, line, value, error);
    for (int n = 0; n < SECTION_SCALARS; ++n) {
        const struct section_entry *e = &section_scalar_entries[n];
        if (!is_there(f.s, n)) continue;
        netcdf_content_add(f.content, (struct netcdf_content_entry){e->name, e->long_name, e->unit}, "", -1,
                           value + first + n)
            ->error = error + first + n;
    }
}

/* Adds the distance from the nearest no-slip wall. */
static void add_distance(struct frame f, double u_tau)
{
    static const struct section_entry WORDS = {
        "wall_distance", "distance of the centre from the nearest no-slip wall", "L", 0, 1};
    const struct section_fields *s = f.s;
    const struct section_sums_place p = {s->cells[0], s->cells[1]};
    const ptrdiff_t count = (ptrdiff_t)p.wide * p.high;
    if (!section_fields_walled(s)) return;
    double *here = netcdf_content_numbers(f.content, count), *plus = netcdf_content_numbers(f.content, count);
    for (ptrdiff_t k = 0; k < count; ++k) {
        const ptrdiff_t at[2] = {k % p.wide, k / p.wide};
        here[k] = INFINITY;
        for (int side = 0; side < 4; ++side) {
            const int d = side / 2;
            const double wall = s->face[d][side % 2 ? s->cells[d] : 0];
            if (s->rough[side]) here[k] = fmin(here[k], fabs(s->centre[d][at[d]] - wall));
        }
        plus[k] = here[k] * u_tau / s->nu;
    }
    add(f, &WORDS, "", p, here)->methods = NULL;
    add(f, &WORDS, "_plus", p, plus)->methods = NULL;
}

static void add_frame(struct netcdf_content *p, const struct section_fields *s)
{
    const int direction[2] = {s->a, s->b};
    for (int d = 0; d < 2; ++d)
        netcdf_content_axis(p, (struct stats_axis){LETTER[direction[d]], "cell centres", "L", s->cells[d],
                                                   s->centre[d], s->face[d], NULL});
    for (int d = 0; d < 2; ++d)
        netcdf_content_axis(p, (struct stats_axis){FACE[direction[d]], "cell faces", "L", s->cells[d] + 1,
                                                   s->face[d], NULL, NULL});
    netcdf_content_text(p, "title", "averages over one homogeneous direction and over time");
    netcdf_content_text(p, "homogeneous_direction", LETTER[s->along]);
    netcdf_content_text(p, "streamwise_direction", LETTER[s->stream]);
    netcdf_content_text(
        p, "scaling",
        "_plus: in units of u_tau and nu of this run; _error: standard error, from batch means");
}

static void add_scales(struct netcdf_content *p, const struct section_fields *s,
                       const struct batch_means *fields, const struct batch_means *lines)
{
    static const struct netcdf_content_entry WORDS[] = {
        {"nu", "kinematic viscosity", "U L"},
        {"delta", "half the distance of the nearest pair of no-slip walls, all of it beside one", "L"},
        {"hydraulic_diameter", "four times the volume over the area of the no-slip walls along the stream",
         "L"},
        {"n_batches_lines", "complete batches of samples, for the errors of numbers and wall stresses", "1"},
        {"batch_length_lines", "samples of such a batch", "1"}};
    netcdf_content_samples(p, fields);
    netcdf_content_number(p, WORDS[0], s->nu);
    if (section_fields_walled(s)) netcdf_content_number(p, WORDS[1], s->delta);
    if (!isnan(s->diameter)) netcdf_content_number(p, WORDS[2], s->diameter);
    netcdf_content_number(p, WORDS[3], batch_means_count(lines))->integer = 1;
    netcdf_content_number(p, WORDS[4], (double)batch_means_length(lines))->integer = 1;
}

/* Number of values of the means of either average. */
static ptrdiff_t mean_values(const struct section_fields *s)
{
    const ptrdiff_t sample = s->sum_first[LINE_SUM_COUNT], line = s->line_first[LINES] + NUMBERS;
    return sample > line ? sample : line;
}

static kol_status create(struct memory *memory, const struct section_fields *s,
                         const struct section_scalars *scalars, struct netcdf_content **out)
{
    const struct section_scalars_room more = section_scalars_room(scalars);
    const ptrdiff_t values = s->field_first[FIELDS], number = s->line_first[LINES] + SECTION_SCALARS,
                    cells = (ptrdiff_t)s->cells[0] * s->cells[1];
    return netcdf_content_create(
        memory, 2 * FIELDS + LINE_SUM_COUNT + LINES + SECTION_SCALARS + OTHERS + DISTANCES + more.variables,
        (section_fields_walled(s) ? 4 : 2) * values + s->sum_first[LINE_SUM_COUNT] + mean_values(s) +
            2 * number + DISTANCES * cells + OTHERS + more.numbers,
        out);
}

kol_status section_netcdf_count(struct memory *memory, const struct section_fields *s,
                                const struct section_scalars *scalars, int most)
{
    struct netcdf_content *content = NULL;
    const kol_status st = create(memory, s, scalars, &content);
    netcdf_content_destroy(&content);
    TRY(st);
    return section_errors_count(memory, s, most);
}

kol_status section_netcdf(const struct section_fields *s, const struct batch_means *fields,
                          const struct batch_means *lines, const struct section_scalars *scalars,
                          const struct batch_means *of_scalars, struct netcdf_content **out)
{
    static const int AXIS[4] = {AXIS_A, AXIS_B, AXIS_A_FACE, AXIS_B_FACE};
    const ptrdiff_t values = s->field_first[FIELDS], sample = s->sum_first[LINE_SUM_COUNT],
                    number = s->line_first[LINES] + SECTION_SCALARS;
    const int walled = section_fields_walled(s);
    TRY(create(NULL, s, scalars, out));
    struct netcdf_content *p = *out;
    const struct frame f = {p, s};
    double *value = netcdf_content_numbers(p, values),
           *error = netcdf_content_numbers(p, (walled ? 2 : 1) * values),
           *sum = netcdf_content_numbers(p, sample), *mean = netcdf_content_numbers(p, mean_values(s)),
           *numbers = netcdf_content_numbers(p, number), *errors = netcdf_content_numbers(p, number),
           *plus_error = walled ? error + values : NULL;
    batch_means_mean(lines, mean);
    section_fields_derive_numbers(s, mean, numbers);
    TRY(batch_means_errors(lines, section_fields_derive_numbers, s, (int)number, errors));
    batch_means_sum(fields, sum);
    for (ptrdiff_t k = 0; k < sample; ++k) mean[k] = sum[k] / (double)batch_means_samples(fields);
    section_fields_derive(s, mean, value);
    TRY(section_errors(s, fields, error, plus_error));
    const double u_tau = numbers[s->line_first[LINES] + SECTION_U_TAU];
    add_frame(p, s);
    add_fields(f, value, error, plus_error, u_tau);
    add_numbers(f, numbers, errors);
    add_sums(f, sum);
    add_scales(p, s, fields, lines);
    add_distance(f, u_tau);
    return section_scalars_add(scalars, of_scalars, AXIS, p);
}
