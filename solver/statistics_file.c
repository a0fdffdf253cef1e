/* The state of statistics in checkpoints, and their files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rundir.h"
#include "section_page.h"
#include "statistics_parts.h"
#include "wall_page.h"

/* --- the state in checkpoints --- */

static int held(const struct run *run)
{
    return run->statistics != NULL && run->statistics->image != NULL;
}

ptrdiff_t statistics_size(const struct run *run)
{
    return run->statistics != NULL ? state_size(run->statistics) : 0;
}

/* One average's state behind another's. */
void statistics_take(const struct run *run)
{
    if (!held(run)) return;
    const struct statistics *s = run->statistics;
    double *to = s->image;
    for (int n = 0; n < AVERAGES; ++n) {
        const struct average *a = &s->average[n];
        if (a->values == 0) continue;
        batches_store(a->batches, to);
        if (s->kind == KIND_BOX)
            memcpy(to + batches_state_size(a->values, a->most), a->sample, (size_t)a->values * sizeof *to);
        to += state_size_of(s, a);
    }
}

struct io_view statistics_view(const struct run *run)
{
    const int size = (int)statistics_size(run), own = held(run) ? size : 0;
    struct io_view v = {.name = "statistics",
                        .long_name = "state of the averages over time",
                        .unit = "1",
                        .location = IO_CCC,
                        .ncomp = 1,
                        .n_g = {size, 1, 1},
                        .n = {own, own > 0, own > 0},
                        .bytes = (int)sizeof(double),
                        .data = own > 0 ? run->statistics->image : NULL};
    return v;
}

static kol_status begin_anew(struct average *a)
{
    batches_destroy(&a->batches);
    return batches_create(a->values, a->most, &a->batches);
}

/* Whether it was dropped: it began before statistics.start. */
static kol_status drop_older(struct average *a, double start, int *dropped)
{
    *dropped =
        batches_samples(a->batches) > 0 && batches_begin(a->batches) < start - START_SLACK * fabs(start);
    return *dropped ? begin_anew(a) : KOL_OK;
}

/* Quadrants of other holes than those asked for now. */
static kol_status drop_other_holes(struct statistics *s)
{
    struct average *a = &s->average[MEANS];
    if (s->kind != KIND_WALLED || batches_samples(a->batches) == 0) return KOL_OK;
    batches_mean(a->batches, a->sample);
    if (profiles_same(&s->wall, a->sample)) return KOL_OK;
    snprintf(s->note, sizeof s->note,
             "statistics of the checkpoint are dropped: statistics.stress_budgets, quadrants or "
             "quadrant_holes are other ones now");
    return begin_anew(a);
}

/* Spectra of other planes than those asked for now. */
static kol_status drop_other_heights(struct statistics *s)
{
    struct average *a = &s->average[SPECTRA];
    if (s->heights == NULL || batches_samples(a->batches) == 0) return KOL_OK;
    batches_mean(a->batches, a->sample);
    if (heights_same(s->heights, a->sample)) return KOL_OK;
    snprintf(
        s->note, sizeof s->note,
        "spectra of the checkpoint are dropped: they are of other heights than statistics.spectra_heights");
    return begin_anew(a);
}

kol_status statistics_given(struct run *run)
{
    struct statistics *s = run->statistics;
    const double start = run->in.statistics.start;
    if (!held(run)) return KOL_OK;
    const double *from = s->image;
    for (int n = 0; n < AVERAGES; ++n) {
        struct average *a = &s->average[n];
        int dropped;
        if (a->values == 0) continue;
        TRY(batches_load(a->batches, from));
        const double begin = batches_begin(a->batches);
        if (s->kind == KIND_BOX)
            memcpy(a->sample, from + batches_state_size(a->values, a->most),
                   (size_t)a->values * sizeof *from);
        from += state_size_of(s, a);
        TRY(drop_older(a, start, &dropped));
        if (dropped)
            snprintf(s->note, sizeof s->note,
                     "statistics of the checkpoint, from t %.6g on, are dropped: statistics.start is %.6g",
                     begin, start);
        else if (n == MEANS)
            snprintf(s->note, sizeof s->note, "statistics go on after %lld samples",
                     batches_samples(a->batches));
    }
    TRY(drop_other_holes(s));
    return drop_other_heights(s);
}

void statistics_absent(struct run *run, ptrdiff_t size)
{
    if (run->statistics == NULL) return;
    snprintf(run->statistics->note, sizeof run->statistics->note,
             size == 0 ? "the checkpoint has no statistics: they begin now"
                       : "the checkpoint's statistics are of another kind: they begin anew");
}

const char *statistics_note(const struct run *run)
{
    return run->statistics != NULL ? run->statistics->note : "";
}

int statistics_idle(const struct run *run)
{
    return held(run) && batches_samples(run->statistics->average[MEANS].batches) == 0;
}

/* --- the file --- */

const char *const statistics_files[] = {
    [MEANS] = "statistics.nc", [SPECTRA] = "spectra.nc", [INCREMENTS] = "pdf.nc"};
_Static_assert((int)STATISTICS_FILES == (int)LINE_MEANS, "a file for each average up to there");

struct batches *statistics_average(struct run *run, int n, int *values, double **latest)
{
    struct average *a = &run->statistics->average[n];
    *values = a->values;
    *latest = a->sample;
    return a->batches;
}

int statistics_due(const struct run *run)
{
    const int interval = run->in.statistics.write_interval;
    return run->statistics != NULL && interval > 0 && run->clock.step % interval == 0;
}

static int has_news(const struct average *a)
{
    return a->batches != NULL && batches_samples(a->batches) > 0 && batches_samples(a->batches) != a->written;
}

static kol_status make_heights_page(const struct statistics *s, struct page **out)
{
    double u_tau;
    TRY(wall_friction(&s->wall, s->average[MEANS].batches, &u_tau));
    return heights_page(s->heights, &s->wall, s->average[SPECTRA].batches, u_tau, out);
}

static kol_status make_page(const struct statistics *s, int average, struct page **out)
{
    const struct batches *b = s->average[average].batches;
    const double *latest = s->average[average].sample;
    if (average == SPECTRA && s->kind == KIND_WALLED) return make_heights_page(s, out);
    if (average == SPECTRA) return spectra_page(s->spectra, b, latest, out);
    if (average == INCREMENTS) return increments_page(s->increments, b, latest, out);
    if (s->kind == KIND_SECTION) return section_page(&s->section, b, s->average[LINE_MEANS].batches, out);
    return s->kind == KIND_WALLED ? wall_page(&s->wall, b, out) : box_page(&s->box, b, latest, out);
}

kol_status statistics_write(struct run *run, const struct io_text *text, int texts)
{
    struct statistics *s = run->statistics;
    char path[RUNDIR_TEXT + 32];
    for (int n = 0; n < AVERAGES && held(run); ++n) {
        struct page *p = NULL;
        if (n >= STATISTICS_FILES || !has_news(&s->average[n])) continue;
        snprintf(path, sizeof path, "%s/%s", run->in.output.directory, statistics_files[n]);
        const struct average *a = &s->average[n];
        kol_status st = make_page(s, n, &p);
        if (st == KOL_OK && s->kind != KIND_SECTION) /* of fields they are too large */
            st = page_batches(p, a->batches, a->values, a->sample);
        if (st == KOL_OK) st = page_write(p, path, text, texts);
        page_destroy(&p);
        if (st != KOL_OK) return status_pass(st, __FILE__, __LINE__, "statistics_write");
        s->average[n].written = batches_samples(s->average[n].batches);
    }
    return KOL_OK;
}
