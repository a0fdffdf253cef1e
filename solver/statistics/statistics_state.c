/* Keeps the state of the averages over time in checkpoints. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/log.h"
#include "statistics_internal.h"

ptrdiff_t statistics_size(const struct statistics *s)
{
    return s != NULL ? state_size(s) : 0;
}

/* One average's state behind another's. */
kol_status statistics_take(const struct statistics *s)
{
    if (!held(s)) return KOL_OK;
    double *to = s->image;
    TRY(fetch(s));
    for (int n = 0; n < AVERAGES; ++n) {
        const struct average *a = &s->average[n];
        if (a->values == 0) continue;
        batch_means_store(a->batches, to);
        to += state_size_of(a);
    }
    return KOL_OK;
}

/* The state of `size` doubles in a checkpoint. Only rank 0 has it, in `data`. */
static struct io_view view_of(ptrdiff_t size, double *data)
{
    return io_view_list("statistics", "state of the averages over time", (int)size, data);
}

struct io_view statistics_view(const struct statistics *s)
{
    return view_of(statistics_size(s), held(s) ? s->image : NULL);
}

kol_status statistics_expect(struct statistics *s, ptrdiff_t size, struct io_view *view)
{
    *view = view_of(size, NULL);
    s->stored_size = size;
    if (!held(s)) return KOL_OK;
    if (size != state_size(s)) s->stored = calloc((size_t)size, sizeof *s->stored);
    if (size != state_size(s) && s->stored == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for the checkpoint's statistics of %td numbers", size);
    *view = view_of(size, s->stored != NULL ? s->stored : s->image);
    return KOL_OK;
}

/* Adds a clause to the note for the log. */
static void tell(struct statistics *s, const char *format, ...)
{
    size_t used = strlen(s->note);
    va_list values;
    if (used > 0) used += (size_t)snprintf(s->note + used, sizeof s->note - used, "; ");
    if (used >= sizeof s->note) return;
    va_start(values, format);
    vsnprintf(s->note + used, sizeof s->note - used, format, values);
    va_end(values);
}

/* Empties an average. Its first sample will follow the latest one of the average in a checkpoint. */
static kol_status begin_behind(struct average *a, const double *from)
{
    double samples;
    const double end = batch_means_stored_end(from, &samples);
    TRY(average_begin(NULL, a));
    if (samples > 0) batch_means_follow(a->batches, end);
    return KOL_OK;
}

/* Drops the samples of an average if it began before statistics.start. *dropped: whether it did. */
static kol_status drop_older(struct average *a, const double *from, double start, int *dropped)
{
    *dropped = batch_means_samples(a->batches) > 0 &&
               batch_means_begin(a->batches) < start - START_SLACK * fabs(start);
    return *dropped ? begin_behind(a, from) : KOL_OK;
}

/* Whether a checkpoint of this kind of flow may hold an average. They are stored in this order. A box has
 * either spectra or densities over the volume. */
static int may_hold(const struct statistics *s, int average)
{
    static const int HOLDS[][AVERAGES] = {[KIND_BOX] = {1, 1, 1, 0, 0, 0, 0, 0},
                                          [KIND_WALLED] = {1, 1, 1, 1, 0, 0, 0, 0},
                                          [KIND_SECTION] = {1, 0, 0, 0, 1, 0, 1, 1},
                                          [KIND_CELLS] = {0, 0, 0, 0, 0, 1, 0, 0}};
    if (s->kind == KIND_BOX && s->volumes != NULL) return average == MEANS || average == VOLUMES;
    return HOLDS[s->kind][average];
}

/* part: an average of `values` values within the checkpoint's array; from == NULL if it is not there. */
struct part {
    const double *from;
    int values;
};

/* Number of doubles of a part that begins there; 0: it is none. Earlier versions kept the latest sample of a
 * periodic box behind each. */
static ptrdiff_t part_size(const struct statistics *s, const double *from, int most)
{
    const ptrdiff_t size = batch_means_stored_size(from, most);
    const int values = batch_means_state_values(from),
              is_earlier = size > 0 && size != batch_means_state_size(values, most);
    return size + (is_earlier && s->kind == KIND_BOX ? values : 0);
}

static int is_of_cycles(const double *from, ptrdiff_t left)
{
    return left >= BATCH_MEANS_HEAD && batch_means_stored_cycles(from);
}

/* Finds the parts of the array. Each part begins with its number of values, because a checkpoint may hold
 * other parts, and of other lengths, than the inputs ask for now. It returns whether the parts make up the
 * whole array. */
static int find_parts(const struct statistics *s, const double *from, struct part part[AVERAGES])
{
    ptrdiff_t left = s->stored_size;
    memset(part, 0, AVERAGES * sizeof *part);
    for (int n = 0; n < AVERAGES && left > 0; ++n) {
        enum { HEAD_LEAST = 8 };
        if (!may_hold(s, n)) continue;
        if (left < HEAD_LEAST) return 0;
        if (is_of_cycles(from, left) != (n == PHASES)) continue; /* others may be missing before it */
        const ptrdiff_t size = part_size(s, from, s->average[n].most);
        if (size == 0 || size > left) return 0;
        part[n] = (struct part){from, batch_means_state_values(from)};
        from += size;
        left -= size;
    }
    return left == 0;
}

/* Notes that the samples have other parts than those asked for now. */
static void tell_other(struct statistics *s, int average)
{
    if (average == MEANS && s->kind == KIND_WALLED)
        tell(s, "statistics of the checkpoint are dropped: statistics.stress_budgets, pressure, "
                "quadrants, quadrant_holes or the scalars have changed, or another version wrote them");
    else if (average == MEANS)
        tell(s,
             "statistics of the checkpoint are dropped: the scalars have changed, or another version wrote "
             "them");
    else if (average == CELL_MEANS)
        tell(s, "averages of the checkpoint are dropped: they have other batches than statistics.batches, "
                "another choice of statistics.cell_budgets or other scalars, or another version wrote them");
    else if (average == SPECTRA && s->kind == KIND_WALLED)
        tell(s, "spectra of the checkpoint are dropped: they are of other heights than "
                "statistics.spectra_heights, or the scalars have changed");
    else if (average == SPECTRA)
        tell(s, "spectra of the checkpoint are dropped: the scalars have changed, or another version wrote "
                "them");
    else if (average == PHASES)
        tell(s, "phases of the checkpoint are dropped: statistics.phases or the scalars have changed, or "
                "another version wrote them");
    else if (average == VOLUMES) tell(s, "densities of the checkpoint are dropped: the scalars have changed");
    else if (average == INCREMENTS)
        tell(s, "%s of the checkpoint are dropped, too", s->kind == KIND_WALLED ? "densities" : "increments");
}

/* Whether quadrants have other holes, or spectra other planes, than those asked for now. The mean is used in
 * place of a sample. */
static int is_other(const struct statistics *s, int average)
{
    const struct average *a = &s->average[average];
    if (s->kind == KIND_BOX || average == PHASES || batch_means_samples(a->batches) == 0) return 0;
    batch_means_mean(a->batches, a->sample);
    if (s->kind == KIND_SECTION) return 0;
    if (average == CELL_MEANS) return fabs(a->sample[1] - cell_averages_kind(s->cells)) > 0.5;
    if (average == INCREMENTS) return !wall_densities_same(s->densities, a->sample);
    return average == MEANS ? !profiles_same(&s->wall, a->sample) : !wall_spectra_same(s->heights, a->sample);
}

static kol_status load_part(struct statistics *s, int average, const double *from, double start)
{
    struct average *a = &s->average[average];
    int dropped;
    TRY(batch_means_load(a->batches, from));
    const double begin = batch_means_begin(a->batches);
    const ptrdiff_t size = batch_means_stored_size(from, a->most);
    if (part_size(s, from, a->most) > size) batch_means_set_latest(a->batches, from + size);
    TRY(drop_older(a, from, start, &dropped));
    if (dropped && (average == MEANS || average == SPECTRA || average == CELL_MEANS))
        tell(s, "%s of the checkpoint, from t %.6g on, are dropped: statistics.start is %.6g",
             average == SPECTRA ? "spectra" : "statistics", begin, start);
    if (dropped) return KOL_OK;
    if (is_other(s, average)) {
        tell_other(s, average);
        return begin_behind(a, from);
    }
    if (average == MEANS || average == CELL_MEANS)
        tell(s, "statistics continue after %lld samples", batch_means_samples(a->batches));
    return KOL_OK;
}

static int fits(const struct statistics *s, const struct part part[AVERAGES], int average)
{
    return part[average].values == s->average[average].values;
}

/* Spectra at heights take wall units from the profiles. If there is no sample of the profiles yet, the
 * existing file is better than a new one, and is kept. */
static void keep_spectra_file(struct statistics *s)
{
    struct average *a = &s->average[SPECTRA];
    if (s->kind == KIND_WALLED && a->values > 0 && batch_means_samples(s->average[MEANS].batches) == 0)
        a->written = batch_means_samples(a->batches);
}

static kol_status load_parts(struct statistics *s, const double *from, double start)
{
    struct part part[AVERAGES];
    if (!find_parts(s, from, part)) {
        tell(s, "the checkpoint's statistics are of another kind, so they begin again");
        return KOL_OK;
    }
    if (s->kind == KIND_SECTION &&
        !(fits(s, part, MEANS) && fits(s, part, LINE_MEANS) && fits(s, part, THETA_MEANS))) {
        tell_other(s, MEANS); /* fields, lines and scalars belong to the same samples */
        for (int n = 0; n < AVERAGES; ++n)
            if (s->average[n].values > 0 && part[n].from != NULL)
                TRY(begin_behind(&s->average[n], part[n].from));
        return KOL_OK;
    }
    for (int n = 0; n < AVERAGES; ++n) {
        if (s->average[n].values == 0) continue;
        if (fits(s, part, n)) TRY(load_part(s, n, part[n].from, start));
        else if (part[n].from != NULL) {
            tell_other(s, n);
            TRY(begin_behind(&s->average[n], part[n].from));
        } else if (n == SPECTRA) tell(s, "the checkpoint has no spectra, so they begin now");
        else if (n == PHASES) tell(s, "the checkpoint has no averages by phase, so they begin now");
        else if (n == VOLUMES) tell(s, "the checkpoint has no densities of scalars, so they begin now");
    }
    keep_spectra_file(s);
    return KOL_OK;
}

static kol_status check_parts(const struct statistics *s, const double *from, const char *path)
{
    struct part part[AVERAGES];
    if (!find_parts(s, from, part)) return KOL_OK;
    for (int n = 0; n < AVERAGES; ++n)
        if (part[n].from != NULL)
            TRY(batch_means_check(part[n].from, part[n].values, s->average[n].most, path));
    return KOL_OK;
}

kol_status statistics_sound(struct statistics *s, const char *path)
{
    const kol_status st = held(s) ? check_parts(s, s->stored != NULL ? s->stored : s->image, path) : KOL_OK;
    if (s == NULL) return st;
    free(s->stored);
    s->stored = NULL;
    return st;
}

kol_status statistics_given(struct statistics *s, const struct domain *domain)
{
    if (!held(s)) return KOL_OK;
    s->note[0] = '\0';
    const struct average *means = &s->average[MEANS];
    const kol_status st =
        load_parts(s, s->stored != NULL ? s->stored : s->image, domain->in->statistics.start);
    free(s->stored);
    s->stored = NULL;
    if (st != KOL_OK || s->fields == NULL) return st;
    return section_time_average_put(s->fields, means->batches);
}

void statistics_absent(struct statistics *s, int there)
{
    if (s == NULL) return;
    snprintf(s->note, sizeof s->note,
             there ? "the checkpoint's statistics are of another kind or of another flow, so they begin again"
                   : "the checkpoint has no statistics, so they begin now");
}

const char *statistics_note(const struct statistics *s)
{
    return s != NULL ? s->note : "";
}

static int is_idle(const struct statistics *s, int average)
{
    const struct batch_means *b = held(s) ? s->average[average].batches : NULL;
    return b != NULL && batch_means_samples(b) == 0;
}

void statistics_tell_idle(const struct statistics *s, const struct domain *domain)
{
    if (is_idle(s, CELL_MEANS))
        log_warn(
            "no sample of the averages was taken, so no averages.h5 was written: see statistics.start and "
            "statistics.interval");
    else if (is_idle(s, MEANS))
        log_warn(
            "no sample of the averages was taken, so no statistics.nc was written: see statistics.start and "
            "statistics.interval");
    else if (is_idle(s, SPECTRA))
        log_info("no sample of spectra was taken: statistics.spectra_interval is %d steps",
                 domain->in->statistics.spectra_interval);
}
