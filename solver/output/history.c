/* Writes the history of the turbulence in a periodic box to history.nc. */
#include "history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "control/schedule.h"
#include "decay_series.h"
#include "io/series.h"
#include "io/statsread.h"
#include "math/sliding_slope.h"
#include "statistics/box_history.h"

enum { STEP, TIME, AGE, EXPONENT, EXPONENT_ERROR, FIRST_COLUMNS };
enum { PATH = INPUT_TEXT + 16 };

struct history {
    const struct flow *flow; /* borrowed */
    struct box_history *box;
    struct series *series;      /* rank 0; NULL before the first record */
    double *record;             /* rank 0 */
    struct sliding_slope decay; /* rank 0: k/dissipation of the records since the flow decays */
    long long keep_through;
    int decay_begins;           /* whether the flow decays from the step on that the run starts from */
    const struct io_text *text; /* borrowed */
    int texts;
};

size_t history_width(const struct history *h)
{
    return FIRST_COLUMNS + HISTORY_NUMBERS + (size_t)HISTORY_CURVES * (size_t)box_history_points(h->box);
}

kol_status history_create(const struct flow *flow, struct history **out)
{
    const struct domain *domain = flow->domain;
    struct box_history *box = NULL;
    const kol_status st = box_history_create(domain, &box);
    struct history *h = box != NULL ? calloc(1, sizeof *h) : NULL;
    if (box == NULL) return st;
    if (h == NULL) {
        box_history_destroy(&box);
        RAISE(KOL_ERR_MEMORY, "no memory for the history");
    }
    *out = h;
    h->flow = flow;
    h->box = box;
    if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "box_history_create");
    if (domain->comm.rank != 0 || memory_counts(domain->memory)) return KOL_OK;
    h->record = malloc(history_width(h) * sizeof *h->record);
    if (h->record == NULL) RAISE(KOL_ERR_MEMORY, "no memory for records of the history");
    return KOL_OK;
}

void history_destroy(struct history **history)
{
    struct history *h = *history;
    if (h == NULL) return;
    box_history_destroy(&h->box);
    sliding_slope_forget(&h->decay);
    free(h->record);
    free(h);
    *history = NULL;
}

kol_status history_count(struct history *h)
{
    return h != NULL ? box_history_sample(h->box, h->flow, NULL, NULL) : KOL_OK;
}

kol_status history_sample(struct history *h, double *record)
{
    const struct clock *c = &h->flow->clock;
    if (record == NULL) return box_history_sample(h->box, h->flow, NULL, NULL);
    record[STEP] = (double)c->step;
    record[TIME] = c->t;
    record[AGE] = c->decays_since >= 0 ? c->t - c->decays_since : NAN;
    double *number = record + FIRST_COLUMNS;
    return box_history_sample(h->box, h->flow, number, number + HISTORY_NUMBERS);
}

kol_status history_append(struct history *h, double *record)
{
    const size_t before = h->decay.count;
    double error;
    TRY(history_open(h));
    TRY(sliding_slope_add(&h->decay, decay_age(h->flow, record[TIME], record[AGE]),
                          record[FIRST_COLUMNS + HISTORY_LARGE_TIME]));
    record[EXPONENT] = record[EXPONENT_ERROR] = NAN;
    if (h->decay.count > before) {
        record[EXPONENT] = 1 / sliding_slope_fit(&h->decay, &error);
        record[EXPONENT_ERROR] = error * record[EXPONENT] * record[EXPONENT];
    }
    return series_append(h->series, record);
}

kol_status history_step(struct history *h, int start, kol_status *file)
{
    *file = KOL_OK;
    if (h == NULL || h->flow->bodies != NULL) return KOL_OK; /* it begins when all bodies have vanished */
    const struct input *in = h->flow->domain->in;
    const struct clock *c = &h->flow->clock;
    if (!(start || schedule_step(c, in->history.interval) || schedule_time(c, in->history.interval_time)))
        return KOL_OK;
    TRY(history_sample(h, h->record));
    const int is_there = start && h->keep_through >= 0 && !h->decay_begins;
    if (h->record != NULL && !is_there) *file = history_append(h, h->record);
    return KOL_OK;
}

/* --- the file --- */

void history_name(struct history *h, long long keep_through, const struct io_text *text, int texts)
{
    if (h == NULL) return;
    /* The last record of the forced flow is made anew: it is the first one of the decay. */
    const struct clock *c = &h->flow->clock;
    h->decay_begins = keep_through >= 0 && c->decays_since == c->t;
    h->keep_through = keep_through - h->decay_begins;
    h->text = text;
    h->texts = texts;
}

/* Reads the records that the file has from before a restart, for the windows of the exponent. */
static kol_status read_decay(struct history *h, const char *path)
{
    static const char *const NAME[] = {"time", "time_of_decay", "dissipation_time"};
    const size_t n = series_records(h->series);
    struct stats_reader *file = NULL;
    if (n == 0) return KOL_OK;
    double *value = malloc(3 * n * sizeof *value);
    if (value == NULL) RAISE(KOL_ERR_MEMORY, "%s: no memory for %zu records", path, n);
    kol_status st = statsread_open(path, &file);
    for (size_t c = 0; c < 3 && st == KOL_OK; ++c)
        st = statsread_values(file, NULL, NAME[c], n, value + c * n);
    for (size_t r = 0; r < n && st == KOL_OK; ++r)
        st = sliding_slope_add(&h->decay, decay_age(h->flow, value[r], value[n + r]), value[2 * n + r]);
    const kol_status closed = statsread_close(&file);
    free(value);
    return st == KOL_OK ? closed : status_pass(st, __FILE__, __LINE__, "read_decay");
}

kol_status history_open(struct history *h)
{
    char path[PATH];
    struct series_column column[FIRST_COLUMNS + HISTORY_NUMBERS + HISTORY_CURVES] = {
        {"step", "time step", "1", SERIES_INTEGER},
        {"time", "time", "L/U", SERIES_REAL},
        {"time_of_decay",
         "time since the forcing was switched off or the bodies vanished; NaN if neither has happened", "L/U",
         SERIES_REAL},
        {"decay_exponent",
         "n of k ~ (t - t0)^-n, from the slope of k/dissipation over the last third of the time", "1",
         SERIES_REAL},
        {"decay_exponent_error", "its standard error, from the scatter about a straight line", "1",
         SERIES_REAL}};
    if (h == NULL || h->series != NULL) return KOL_OK;
    const int shells = box_history_points(h->box), curves = shells > 0 ? HISTORY_CURVES : 0;
    for (int n = 0; n < HISTORY_NUMBERS; ++n) {
        const struct history_word *w = &box_history_numbers[n];
        column[FIRST_COLUMNS + n] = (struct series_column){w->name, w->long_name, w->unit, SERIES_REAL};
    }
    for (int n = 0; n < curves; ++n) {
        const struct history_word *w = &box_history_curves[n];
        column[FIRST_COLUMNS + HISTORY_NUMBERS + n] =
            (struct series_column){w->name, w->long_name, w->unit, SERIES_POINTS};
    }
    const struct series_coordinate coordinate[] = {
        {"wavenumber", "wavenumber in the middle of the shell, of E, T, D", "L-1",
         box_history_wavenumbers(h->box)},
        {"distance", "distance of the two points, of the structure functions", "L",
         box_history_distances(h->box)}};
    const struct series_points points = {"shell", shells, coordinate, 2};
    snprintf(path, sizeof path, "%s/%s", h->flow->domain->in->output.directory, HISTORY_FILE);
    TRY(series_open(path, column, FIRST_COLUMNS + HISTORY_NUMBERS + curves, curves > 0 ? &points : NULL,
                    h->keep_through, h->text, h->texts, &h->series));
    return read_decay(h, path);
}

kol_status history_flush(struct history *h)
{
    return h != NULL && h->series != NULL ? series_flush(h->series) : KOL_OK;
}

kol_status history_close(struct history *h)
{
    return h != NULL ? series_close(&h->series) : KOL_OK;
}
