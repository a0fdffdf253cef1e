/* Writes the history of the turbulence in a periodic box to history.nc. */
#include "history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "control/schedule.h"
#include "io/series.h"
#include "statistics/box_history.h"

enum { FIRST_COLUMNS = 3, PATH = INPUT_TEXT + 16 };

struct history {
    const struct flow *flow; /* borrowed */
    struct box_history *box;
    struct series *series; /* rank 0; NULL before the first record */
    double *record;        /* rank 0 */
    long long keep_through;
    const struct io_text *text; /* borrowed */
    int texts;
};

/* Values of a record. */
static size_t values_of(const struct history *h)
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
    h->record = malloc(values_of(h) * sizeof *h->record);
    if (h->record == NULL) RAISE(KOL_ERR_MEMORY, "no memory for records of the history");
    return KOL_OK;
}

void history_destroy(struct history **history)
{
    struct history *h = *history;
    if (h == NULL) return;
    box_history_destroy(&h->box);
    free(h->record);
    free(h);
    *history = NULL;
}

kol_status history_count(struct history *h)
{
    return h != NULL ? box_history_sample(h->box, h->flow, NULL, NULL) : KOL_OK;
}

static kol_status append(struct history *h)
{
    const struct clock *c = &h->flow->clock;
    h->record[0] = (double)c->step;
    h->record[1] = c->t;
    h->record[2] = c->decays_since >= 0 ? c->t - c->decays_since : NAN;
    TRY(history_open(h));
    return series_append(h->series, h->record);
}

kol_status history_step(struct history *h, int start, kol_status *file)
{
    *file = KOL_OK;
    if (h == NULL) return KOL_OK;
    const struct input *in = h->flow->domain->in;
    const struct clock *c = &h->flow->clock;
    if (!(start || schedule_step(c, in->history.interval) || schedule_time(c, in->history.interval_time)))
        return KOL_OK;
    double *number = h->record != NULL ? h->record + FIRST_COLUMNS : NULL;
    TRY(box_history_sample(h->box, h->flow, number, number != NULL ? number + HISTORY_NUMBERS : NULL));
    if (h->record != NULL && !(start && h->keep_through >= 0)) *file = append(h);
    return KOL_OK;
}

/* --- the file --- */

void history_name(struct history *h, long long keep_through, const struct io_text *text, int texts)
{
    if (h == NULL) return;
    h->keep_through = keep_through;
    h->text = text;
    h->texts = texts;
}

kol_status history_open(struct history *h)
{
    char path[PATH];
    struct series_column column[FIRST_COLUMNS + HISTORY_NUMBERS + HISTORY_CURVES] = {
        {"step", "time step", "1", SERIES_INTEGER},
        {"time", "time", "L/U", SERIES_REAL},
        {"time_of_decay", "time since the forcing was switched off; NaN if it was not", "L/U", SERIES_REAL}};
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
    snprintf(path, sizeof path, "%s/history.nc", h->flow->domain->in->output.directory);
    return series_open(path, column, FIRST_COLUMNS + HISTORY_NUMBERS + curves, curves > 0 ? &points : NULL,
                       h->keep_through, h->text, h->texts, &h->series);
}

kol_status history_flush(struct history *h)
{
    return h != NULL && h->series != NULL ? series_flush(h->series) : KOL_OK;
}

kol_status history_close(struct history *h)
{
    return h != NULL ? series_close(&h->series) : KOL_OK;
}
