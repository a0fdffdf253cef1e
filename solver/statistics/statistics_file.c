/* Writes the statistics files, and passes the averages in every cell to checkpoints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cell_averages_file.h"
#include "io/checkpoint.h"
#include "io/run_directory.h"
#include "phase_netcdf.h"
#include "section_netcdf.h"
#include "statistics_internal.h"
#include "wall_netcdf.h"
#include "parallel/watchdog.h"
#include "state/background_writing.h"

const char *const statistics_files[] = {
    [MEANS] = "statistics.nc", [SPECTRA] = "spectra.nc", [INCREMENTS] = "pdf.nc", [PHASES] = "phases.nc"};
_Static_assert((int)STATISTICS_FILES == (int)LINE_MEANS && (int)STATISTICS_LINES == (int)LINE_MEANS &&
                   (int)STATISTICS_SCALARS == (int)THETA_MEANS,
               "a file for each average up to there");

/* The average that file number n is made of. */
static int average_of_file(const struct statistics *s, int n)
{
    return n == INCREMENTS && s->volumes != NULL ? VOLUMES : n;
}

struct batch_means *statistics_average(struct statistics *s, int n, int *values)
{
    struct average *a = &s->average[average_of_file(s, n)];
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
    if (average == VOLUMES) return volume_densities_netcdf(s->volumes, b, out);
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
    const int average = average_of_file(s, n);
    struct netcdf_content *p = NULL;
    char path[RUN_DIRECTORY_TEXT + 32];
    snprintf(path, sizeof path, "%s/%s", domain->in->output.directory, statistics_files[n]);
    kol_status st = make_content(s, of, average, &p);
    if (st == KOL_OK) add_directions(s, domain, p);
    if (st == KOL_OK) st = add_batches(s, of, average, p);
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
    for (int n = 0; n < STATISTICS_FILES && held(s); ++n) {
        struct average *a = &s->average[average_of_file(s, n)];
        if (!has_news(a)) continue;
        TRY(write_file(s, domain, s->average, n, text, texts));
        a->written = batch_means_samples(a->batches);
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
    if (s->average[VOLUMES].values > 0) TRY(create_behind(memory, s, VOLUMES));
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
    if (s->behind[VOLUMES].batches != NULL) {
        batch_means_image_take(s->behind[VOLUMES].batches, s->average[VOLUMES].batches);
        s->average[VOLUMES].written = batch_means_samples(s->average[VOLUMES].batches);
    }
    s->average[MEANS].written = batch_means_samples(s->average[MEANS].batches);
    return KOL_OK;
}

kol_status statistics_behind_write(const struct statistics *s, const struct domain *domain,
                                   const struct io_text *text, int texts)
{
    TRY(write_file(s, domain, s->behind, MEANS, text, texts));
    return s->volumes != NULL ? write_file(s, domain, s->behind, INCREMENTS, text, texts) : KOL_OK;
}
