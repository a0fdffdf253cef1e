/* Keeps the state of the statistics in checkpoints, and writes the statistics files. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cell_averages_file.h"
#include "io/checkpoint.h"
#include "io/log.h"
#include "io/run_directory.h"
#include "phase_netcdf.h"
#include "section_netcdf.h"
#include "statistics_internal.h"
#include "wall_netcdf.h"
#include "parallel/watchdog.h"
#include "state/background_writing.h"

/* --- the state in checkpoints --- */

static int held(const struct statistics *s)
{
    return s != NULL && s->image != NULL;
}

ptrdiff_t statistics_size(const struct statistics *s)
{
    return s != NULL ? state_size(s) : 0;
}

/* Copies the fields over a section from kernel memory, where they are averaged. */
static kol_status fetch(const struct statistics *s)
{
    const struct average *a = &s->average[MEANS];
    return s->fields != NULL ? section_time_average_fetch(s->fields, a->batches) : KOL_OK;
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

/* Whether a checkpoint of this kind of flow may hold an average. They are stored in this order. */
static int may_hold(enum kind kind, int average)
{
    static const int HOLDS[][AVERAGES] = {[KIND_BOX] = {1, 1, 1, 0, 0, 0, 0},
                                          [KIND_WALLED] = {1, 1, 1, 1, 0, 0, 0},
                                          [KIND_SECTION] = {1, 0, 0, 0, 1, 0, 1},
                                          [KIND_CELLS] = {0, 0, 0, 0, 0, 1, 0}};
    return HOLDS[kind][average];
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
        if (!may_hold(s->kind, n)) continue;
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
        tell(s, "statistics of the checkpoint are dropped: statistics.stress_budgets, quadrants, "
                "quadrant_holes or the scalars have changed, or another version wrote them");
    else if (average == MEANS)
        tell(s,
             "statistics of the checkpoint are dropped: the scalars have changed, or another version wrote "
             "them");
    else if (average == CELL_MEANS)
        tell(s, "averages of the checkpoint are dropped: they have other batches than statistics.batches, or "
                "other scalars, or another version wrote them");
    else if (average == SPECTRA && s->kind == KIND_WALLED)
        tell(s, "spectra of the checkpoint are dropped: they are of other heights than "
                "statistics.spectra_heights, or the scalars have changed");
    else if (average == SPECTRA)
        tell(s, "spectra of the checkpoint are dropped: the scalars have changed, or another version wrote "
                "them");
    else if (average == PHASES)
        tell(s, "phases of the checkpoint are dropped: statistics.phases or the scalars have changed, or "
                "another version wrote them");
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
             there ? "the checkpoint's statistics are of another kind, so they begin again"
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

/* --- the file --- */

const char *const statistics_files[] = {
    [MEANS] = "statistics.nc", [SPECTRA] = "spectra.nc", [INCREMENTS] = "pdf.nc", [PHASES] = "phases.nc"};
_Static_assert((int)STATISTICS_FILES == (int)LINE_MEANS && (int)STATISTICS_LINES == (int)LINE_MEANS &&
                   (int)STATISTICS_SCALARS == (int)THETA_MEANS,
               "a file for each average up to there");

struct batch_means *statistics_average(struct statistics *s, int n, int *values)
{
    struct average *a = &s->average[n];
    *values = a->values;
    return a->batches;
}

void statistics_follow(struct statistics *s, double t)
{
    for (int n = 0; n < AVERAGES && s != NULL; ++n)
        if (s->average[n].batches != NULL) batch_means_follow(s->average[n].batches, t);
}

int statistics_due(const struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const int interval = domain->in->statistics.write_interval;
    return s != NULL && interval > 0 && flow->clock.step % interval == 0;
}

static int has_news(const struct average *a)
{
    return a->batches != NULL && batch_means_samples(a->batches) > 0 &&
           batch_means_samples(a->batches) != a->written;
}

static kol_status make_heights_content(const struct statistics *s, struct netcdf_content **out)
{
    double u_tau;
    TRY(wall_netcdf_friction(&s->wall, s->average[MEANS].batches, &u_tau));
    return wall_spectra_netcdf(s->heights, &s->wall, s->average[SPECTRA].batches, u_tau, out);
}

static kol_status make_box_content(const struct statistics *s, const struct batch_means *b,
                                   const double *latest, struct netcdf_content **out)
{
    TRY(box_spectra_netcdf(s->spectra, b, latest, box_scalar_spectra_room(s->scalar_spectra), out));
    return box_scalar_spectra_add(s->scalar_spectra, b, latest, *out);
}

static kol_status make_densities_content(const struct statistics *s, const struct batch_means *b,
                                         const double *latest, struct netcdf_content **out)
{
    TRY(box_increments_netcdf(s->increments, b, latest, box_scalar_densities_room(s->scalar_densities), out));
    return box_scalar_densities_add(s->scalar_densities, b, latest, *out);
}

/* Makes the content of the file of an average. of: all averages, or their copies for the writer thread. */
static kol_status make_content(const struct statistics *s, const struct average of[AVERAGES], int average,
                               struct netcdf_content **out)
{
    const struct batch_means *b = of[average].batches;
    const double *latest = batch_means_latest(b);
    if (average == SPECTRA && s->kind == KIND_WALLED) return make_heights_content(s, out);
    if (average == SPECTRA) return make_box_content(s, b, latest, out);
    if (average == PHASES) return phase_netcdf(&s->phases, b, out);
    if (average == INCREMENTS && s->kind == KIND_WALLED)
        return wall_densities_netcdf(s->densities, &s->wall, b, out);
    if (average == INCREMENTS) return make_densities_content(s, b, latest, out);
    if (s->kind == KIND_SECTION)
        return section_netcdf(&s->section, b, of[LINE_MEANS].batches, s->section_scalars,
                              of[THETA_MEANS].batches, out);
    return s->kind == KIND_WALLED ? wall_netcdf(&s->wall, b, out) : box_netcdf(&s->box, b, latest, out);
}

/* Adds the sums over batches, which kolmo-merge needs. For large fields they would take too much room. */
static kol_status add_batches(const struct statistics *s, const struct average of[AVERAGES], int average,
                              struct netcdf_content *p)
{
    const struct average *a = &of[average], *lines = &of[LINE_MEANS], *scalars = &of[THETA_MEANS];
    if (s->kind == KIND_SECTION && !section_batches_fit(a->values)) return KOL_OK;
    TRY(netcdf_content_batches(p, 0, a->batches));
    if (average != MEANS || lines->values == 0) return KOL_OK;
    TRY(netcdf_content_batches(p, 1, lines->batches));
    return scalars->values > 0 ? netcdf_content_batches(p, 2, scalars->batches) : KOL_OK;
}

/* Adds the directions over which the flow is averaged. */
static void add_directions(const struct statistics *s, const struct domain *domain, struct netcdf_content *p)
{
    for (int d = 0; d < 3; ++d) {
        const double *face = domain->grid.face[d];
        const int averaged = s->kind == KIND_WALLED    ? d != s->wall.normal
                             : s->kind == KIND_SECTION ? d == s->section.along
                                                       : 1;
        if (averaged) netcdf_content_average(p, d, face[0], face[domain->decomp.n_g[d]]);
    }
}

static kol_status write_file(const struct statistics *s, const struct domain *domain,
                             const struct average of[AVERAGES], int n, const struct io_text *text, int texts)
{
    struct netcdf_content *p = NULL;
    char path[RUN_DIRECTORY_TEXT + 32];
    snprintf(path, sizeof path, "%s/%s", domain->in->output.directory, statistics_files[n]);
    kol_status st = make_content(s, of, n, &p);
    if (st == KOL_OK) add_directions(s, domain, p);
    if (st == KOL_OK) st = add_batches(s, of, n, p);
    if (st == KOL_OK) st = netcdf_content_write(p, path, text, texts);
    netcdf_content_destroy(&p);
    return st;
}

/* Counts the memory of the batches in a file (add_batches()). */
static kol_status count_batches(struct memory *memory, const struct average *a)
{
    return a->values > 0 ? netcdf_content_count_batches(memory, a->values, a->most) : KOL_OK;
}

kol_status statistics_count_files(struct memory *memory, const struct statistics *s)
{
    struct memory section = {.host = 0}, phases = {.host = 0};
    const struct average *means = &s->average[MEANS];
    if (s->kind == KIND_SECTION)
        TRY(section_netcdf_count(&section, &s->section, s->section_scalars, means->most));
    if (s->kind == KIND_SECTION && section_batches_fit(means->values)) {
        TRY(count_batches(&section, means));
        TRY(count_batches(&section, &s->average[LINE_MEANS]));
        TRY(count_batches(&section, &s->average[THETA_MEANS]));
    }
    memory_for_a_while(memory, &section);
    if (s->average[PHASES].values == 0) return KOL_OK;
    TRY(phase_netcdf_count(&phases, &s->phases, s->average[PHASES].most));
    TRY(count_batches(&phases, &s->average[PHASES]));
    memory_for_a_while(memory, &phases);
    return KOL_OK;
}

kol_status statistics_write(struct statistics *s, const struct domain *domain, const struct io_text *text,
                            int texts)
{
    if (held(s) && has_news(&s->average[MEANS])) TRY(fetch(s));
    for (int n = 0; n < AVERAGES && held(s); ++n) {
        if (n >= STATISTICS_FILES || !has_news(&s->average[n])) continue;
        TRY(write_file(s, domain, s->average, n, text, texts));
        s->average[n].written = batch_means_samples(s->average[n].batches);
    }
    return KOL_OK;
}

/* --- every cell --- */

struct cell_averages *statistics_cells(struct statistics *s, struct batch_means **numbers)
{
    if (s == NULL || s->cells == NULL) return NULL;
    *numbers = s->average[CELL_MEANS].batches;
    return s->cells;
}

kol_status statistics_write_cells(struct statistics *s, const struct domain *domain, int asked,
                                  long long step, const struct io_text *text, int texts)
{
    struct batch_means *numbers = NULL;
    if (s == NULL || s->cells == NULL) return KOL_OK;
    struct average *a = &s->average[CELL_MEANS];
    int wanted_now = asked && has_news(a);
    MPI_TRY(MPI_Bcast(&wanted_now, 1, MPI_INT, 0, domain->comm.mpi));
    if (!wanted_now) return KOL_OK;
    kol_status st = cell_averages_share(s->cells, a->batches, &numbers);
    if (st == KOL_OK) st = cell_averages_write(s->cells, numbers, step, text, texts);
    batch_means_destroy(&numbers);
    if (st == KOL_OK && a->batches != NULL) a->written = batch_means_samples(a->batches);
    return st;
}

/* The name of a slot in checkpoints. */
static const char *name_in_checkpoint(int slot, char name[2 * CELL_NAME])
{
    char own[CELL_NAME];
    snprintf(name, 2 * CELL_NAME, "cells_%s", cell_averages_name(slot, own));
    return name;
}

/* Writes or reads the sums of all slots that hold samples, and the latest sample. */
static kol_status pass_cells(struct statistics *s, struct checkpoint *c, int reads)
{
    struct batch_means *numbers = NULL;
    char name[2 * CELL_NAME];
    if (s == NULL || s->cells == NULL) return KOL_OK;
    kol_status st = cell_averages_share(s->cells, s->average[CELL_MEANS].batches, &numbers);
    const int used = cell_averages_used(s->cells, numbers);
    for (int slot = CELL_LATEST; slot < used && used > 0 && st == KOL_OK; ++slot) {
        name_in_checkpoint(slot, name);
        watchdog_phase(NULL);
        st = reads ? checkpoint_get(c, cell_averages_into(s->cells, slot, name))
                   : checkpoint_put(c, cell_averages_view(s->cells, slot, name));
    }
    batch_means_destroy(&numbers);
    return st;
}

kol_status statistics_put_cells(struct statistics *s, struct checkpoint *c)
{
    return pass_cells(s, c, 0);
}

kol_status statistics_get_cells(struct statistics *s, struct checkpoint *c)
{
    return pass_cells(s, c, 1);
}

/* --- the file behind the steps --- */

int statistics_behind_wanted(const struct input *in)
{
    return background_wanted(in) && wanted(in) && kind_of(in) == KIND_SECTION &&
           (in->statistics.write_interval > 0 || in->checkpoint.interval > 0 ||
            in->checkpoint.interval_walltime > 0);
}

/* Creates an average for the writer thread. If kernel memory is apart from the host's, the fields on the host
 * are not those of the steps, so they need not be copied. */
static kol_status create_behind(struct memory *memory, struct statistics *s, int n)
{
    const struct average *a = &s->average[n];
    struct average *b = &s->behind[n];
    *b = (struct average){.values = a->values, .most = a->most};
    const int shares = n == MEANS && section_time_average_apart();
    TRY(batch_means_image_create(memory, a->values, a->most, shares, &b->batches));
    if (memory_counts(memory)) batch_means_destroy(&b->batches);
    return KOL_OK;
}

kol_status statistics_behind_create(struct memory *memory, struct statistics *s)
{
    TRY(create_behind(memory, s, MEANS));
    if (s->average[THETA_MEANS].values > 0) TRY(create_behind(memory, s, THETA_MEANS));
    return create_behind(memory, s, LINE_MEANS);
}

kol_status statistics_behind_take(struct statistics *s, int *news)
{
    *news = has_news(&s->average[MEANS]);
    if (!*news) return KOL_OK;
    TRY(fetch(s));
    batch_means_image_take(s->behind[MEANS].batches, s->average[MEANS].batches);
    batch_means_image_take(s->behind[LINE_MEANS].batches, s->average[LINE_MEANS].batches);
    if (s->behind[THETA_MEANS].batches != NULL)
        batch_means_image_take(s->behind[THETA_MEANS].batches, s->average[THETA_MEANS].batches);
    s->average[MEANS].written = batch_means_samples(s->average[MEANS].batches);
    return KOL_OK;
}

kol_status statistics_behind_write(const struct statistics *s, const struct domain *domain,
                                   const struct io_text *text, int texts)
{
    return write_file(s, domain, s->behind, MEANS, text, texts);
}
