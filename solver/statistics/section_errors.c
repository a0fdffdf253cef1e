/* Computes standard errors of the fields over a cross-section.
 *
 * Each average is computed with one batch left out at a time. All these averages are computed together, in
 * strips of a few rows, which stay in the cache. If each average were computed over the complete section at
 * once, the data would go through memory some hundred times. */
#include "section_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "math/central_moments.h"

enum { STRIP = 8, HELD = STRIP + 2 }; /* rows; fields need one more row on either side */

/* scales: what the strips of an average need to know of the whole section: the largest mean square, and wall
 * units. */
struct scales {
    double scale, unit[FIELDS];
};

/* work: for each average without one batch, and last for the average of all batches: what is known of the
 * whole section, the means in a strip, and what is derived from them. */
struct work {
    struct scales scales[BATCH_MEANS_MOST + 1];
    double *mean, *out;
};

static int has_unit(int field)
{
    return section_field_entries[field].velocity != 0 || section_field_entries[field].length != 0;
}

/* Finds the scales by which central_moments recognises rounding. */
static void find_scales(const struct section_fields *s, const struct batch_means *b, struct work *w)
{
    static const int SQUARES[] = {LINE_SUM_SS, LINE_SUM_AA, LINE_SUM_BB};
    for (int n = 0; n < 3; ++n) {
        const int q = SQUARES[n];
        const ptrdiff_t row = section_sums_place(s->n_g, s->along, q).wide;
        for (ptrdiff_t k = s->sum_first[q]; k < s->sum_first[q + 1]; k += row) {
            batch_means_means_without(b, k, row, row, w->mean);
            for (int m = 0; m <= batch_means_count(b); ++m)
                w->scales[m].scale = central_moments_largest(w->scales[m].scale, w->mean + m * row, row);
        }
    }
}

/* Finds the wall units of all averages. u_tau follows from the gradients on the sides alone, so no rows of a
 * sample are needed. room: for the numbers of one average, and for the few values of all averages. */
static void find_units(const struct section_fields *s, const struct batch_means *b, const ptrdiff_t *place,
                       double *room, struct work *w)
{
    const ptrdiff_t lines = s->line_first[LINES], rows = s->row_first[LINE_SUM_COUNT],
                    few = section_fields_few(s);
    double *line = room, *number = line + lines + NUMBERS, *all = number + lines + SECTION_SCALARS;
    for (ptrdiff_t k = 0; k < lines; ++k) batch_means_means_without(b, place[k], 1, few, all + rows + k);
    for (int m = 0; m <= batch_means_count(b); ++m) {
        section_fields_numbers_of(s, all + m * few, line);
        section_fields_derive_numbers(s, line, number);
        for (int n = 0; n < FIELDS; ++n)
            w->scales[m].unit[n] = section_fields_wall_unit(s, n, number[lines + SECTION_U_TAU]);
    }
}

/* Takes the memory in which the wall units of `averages` averages are made. */
static kol_status take_units(struct memory *memory, const struct section_fields *s, int averages,
                             ptrdiff_t **place, double **room)
{
    const ptrdiff_t lines = s->line_first[LINES],
                    numbers = 2 * lines + NUMBERS + SECTION_SCALARS + averages * section_fields_few(s);
    TRY(memory_plain(memory, (size_t)lines * sizeof **place, (void **)place));
    return memory_cleared(memory, (size_t)numbers * sizeof **room, (void **)room);
}

static kol_status make_units(const struct section_fields *s, const struct batch_means *b, struct work *w)
{
    ptrdiff_t *place = NULL;
    double *room = NULL;
    const kol_status st = take_units(NULL, s, batch_means_count(b) + 1, &place, &room);
    if (st == KOL_OK) section_fields_places(s, place);
    if (st == KOL_OK) find_units(s, b, place, room, w);
    free(place);
    free(room);
    return st;
}

/* Derives the fields of all averages in a strip that begins at row `from` of s. */
static void derive(const struct section_fields *s, const struct batch_means *b, int from, int rows,
                   struct work *w, struct section_fields *strip)
{
    section_fields_strip(s, from, rows, 0, strip);
    const ptrdiff_t values = strip->sum_first[LINE_SUM_COUNT];
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        const int wide = section_sums_place(s->n_g, s->along, q).wide;
        batch_means_means_without(b, s->sum_first[q] + (ptrdiff_t)from * wide,
                                  strip->sum_first[q + 1] - strip->sum_first[q], values,
                                  w->mean + strip->sum_first[q]);
    }
    for (int m = 0; m <= batch_means_count(b); ++m) {
        strip->scale = w->scales[m].scale;
        section_fields_derive(strip, w->mean + m * values, w->out + m * strip->field_first[FIELDS]);
    }
}

/* Computes the errors of `rows` rows from `first` on. The last strip also has the face at its end. */
static void do_strip(const struct section_fields *s, const struct batch_means *b, int first, int rows,
                     struct work *w, double *error, double *plus)
{
    const int from = first > 0 ? first - 1 : 0, ends = first + rows == s->cells[1],
              to = ends ? first + rows : first + rows + 1, batches = batch_means_count(b);
    struct section_fields strip;
    derive(s, b, from, to - from, w, &strip);
    const ptrdiff_t stride = strip.field_first[FIELDS];
    for (int n = 0; n < FIELDS; ++n) {
        const struct section_sums_place p = section_fields_place(s, n);
        const ptrdiff_t count = (ptrdiff_t)p.wide * (rows + (ends ? p.high - s->cells[1] : 0)),
                        at = s->field_first[n] + (ptrdiff_t)first * p.wide;
        double *out = w->out + strip.field_first[n] + (ptrdiff_t)(first - from) * p.wide;
        batch_means_errors_of(b, count, out, stride, error + at);
        if (plus == NULL || !has_unit(n)) continue;
        for (int m = 0; m <= batches; ++m)
            for (ptrdiff_t k = 0; k < count; ++k) out[m * stride + k] /= w->scales[m].unit[n];
        batch_means_errors_of(b, count, out, stride, plus + at);
    }
}

/* Number of values in a strip and of the fields derived from it. */
static ptrdiff_t values_of(const struct section_fields *s)
{
    struct section_fields strip = *s;
    int n_g[3] = {s->n_g[X], s->n_g[Y], s->n_g[Z]};
    if (n_g[s->b] > HELD) n_g[s->b] = HELD;
    section_fields_shape(n_g, s->along, &strip);
    return strip.sum_first[LINE_SUM_COUNT] + strip.field_first[FIELDS];
}

/* Takes the memory in which the strips of `averages` averages are derived. */
static kol_status take_work(struct memory *memory, const struct section_fields *s, int averages,
                            struct work **work, double **room)
{
    TRY(memory_cleared(memory, sizeof **work, (void **)work));
    return memory_plain(memory, (size_t)(averages * values_of(s)) * sizeof **room, (void **)room);
}

kol_status section_errors_count(struct memory *memory, const struct section_fields *s, int most)
{
    struct work *work;
    double *room;
    ptrdiff_t *place;
    TRY(take_work(memory, s, most + 1, &work, &room));
    return take_units(memory, s, most + 1, &place, &room);
}

kol_status section_errors(const struct section_fields *s, const struct batch_means *b, double *error,
                          double *plus)
{
    const ptrdiff_t values = s->field_first[FIELDS];
    const int averages = batch_means_count(b) + 1;
    for (ptrdiff_t k = 0; k < values; ++k) error[k] = NAN;
    for (ptrdiff_t k = 0; k < values && plus != NULL; ++k) plus[k] = NAN;
    if (batch_means_count(b) < BATCH_MEANS_LEAST) return KOL_OK;
    struct work *w = NULL;
    double *room = NULL;
    kol_status st = take_work(NULL, s, averages, &w, &room);
    if (st == KOL_OK) {
        const int high = s->cells[1], rows = high < HELD ? high : HELD;
        struct section_fields strip;
        section_fields_strip(s, 0, rows, 0, &strip);
        w->mean = room;
        w->out = room + averages * strip.sum_first[LINE_SUM_COUNT];
        find_scales(s, b, w);
        if (plus != NULL) st = make_units(s, b, w);
        for (int first = 0; first < high && st == KOL_OK; first += STRIP)
            do_strip(s, b, first, high - first < STRIP ? high - first : STRIP, w, error, plus);
    }
    free(room);
    free(w);
    return st;
}
