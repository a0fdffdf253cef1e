/* Takes samples of the flow during a run, and averages them over time. */
#include "statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cell_averages_file.h"
#include "cell_averages_work.h"
#include "io/log.h"
#include "kernels/momentum.h"
#include "step/exact_step.h"
#include "scalar_samples.h"
#include "statistics_internal.h"

enum { NAME_BYTES = 128 };

static kol_status create_average(struct memory *memory, struct average *a)
{
    a->written = -1;
    TRY(average_begin(memory, a));
    return memory_cleared(memory, (size_t)a->values * sizeof *a->sample, (void **)&a->sample);
}

/* Takes page-locked memory for the fields if possible, because they are copied from kernel memory at each
 * writing, which is then faster. Otherwise it takes any memory. */
static void take_locked(struct average *a)
{
    const size_t bytes = (size_t)batch_means_state_size(a->values, a->most) * sizeof *a->memory;
    if (mem_host_alloc(bytes, (void **)&a->memory) == KOL_OK) return;
    a->memory = NULL;
    status_clear();
}

/* Creates the averages on rank 0. with_flow: whether samples are taken (is_bare()). */
static kol_status create_memory(struct memory *memory, int with_flow, struct statistics *s)
{
    struct average *means = &s->average[MEANS];
    const int of_section = s->kind == KIND_SECTION && with_flow;
    if (of_section && section_time_average_apart() && !memory_counts(memory)) take_locked(means);
    for (int n = 0; n < AVERAGES; ++n)
        if (s->average[n].values > 0) TRY(create_average(memory, &s->average[n]));
    if (of_section)
        TRY(section_time_average_create(memory, &s->section, means->most, means->batches, &s->fields));
    TRY(memory_cleared(memory, (size_t)state_size(s) * sizeof *s->image, (void **)&s->image));
    return memory_counts(memory) ? statistics_count_files(memory, s) : KOL_OK;
}

/* Name of the transport; NULL if nothing is moved. */
static const char *transport_for(const struct domain *domain)
{
    return is_bare(domain) ? NULL : halo_transport(domain->halo);
}

/* Finds which averages there are, and how many values they have. For spectra create_walled() and
 * create_spectra() do this. */
static kol_status find_averages(const struct domain *domain, struct statistics *s)
{
    s->kind = kind_of(domain->in);
    for (int n = 0; n < AVERAGES; ++n) s->average[n].most = BATCH_MEANS_MOST;
    s->average[PHASES].most = BATCH_MEANS_FIELDS;
    s->average[PHASES].cycles = 1;
    s->box = box_moments_make(domain->in->fluid.nu, &domain->grid);
    s->box.scalars = box_scalars_make(domain->in);
    s->average[MEANS].values = box_moments_sums(&s->box);
    if (s->kind == KIND_WALLED) {
        TRY(profiles_create(domain->in, &domain->grid, &s->wall));
        s->average[MEANS].values = profiles_sample(&s->wall);
        TRY(statistics_stop_check(domain, s));
    }
    if (s->kind == KIND_WALLED && phases_wanted(domain->in)) {
        TRY(phase_profiles_create(domain->in, &s->wall, &s->phases));
        s->average[PHASES].values = (int)phase_profiles_values(domain->in, s->wall.levels);
    }
    if (s->kind == KIND_SECTION) {
        TRY(section_fields_create(domain->in, &domain->grid, &s->section));
        s->average[MEANS].values = (int)s->section.sum_first[LINE_SUM_COUNT];
        s->average[MEANS].most = BATCH_MEANS_FIELDS; /* fields take much memory */
        s->average[LINE_MEANS].values = (int)s->section.line_first[LINES] + NUMBERS;
        s->average[THETA_MEANS].values = (int)section_scalars_values(domain->in, &domain->grid);
        s->average[THETA_MEANS].most = BATCH_MEANS_FIELDS;
    }
    if (s->kind == KIND_CELLS) {
        s->average[MEANS].values = 0;
        s->average[CELL_MEANS].values = CELL_NUMBERS;
        s->average[CELL_MEANS].most = cell_averages_numbers_most(cells_batches(domain->in));
    }
    return KOL_OK;
}

static kol_status create_walled(const struct domain *domain, struct statistics *s)
{
    if (heights_wanted(domain->in)) {
        TRY(wall_spectra_create(domain->memory, &domain->comm, domain->in, &domain->decomp, &domain->grid,
                                s->wall.normal, transport_for(domain), &s->heights));
        s->average[SPECTRA].values = wall_spectra_values(s->heights);
        TRY(wall_densities_create(domain->memory, &domain->comm, &domain->decomp, s->heights,
                                  !is_bare(domain), &s->densities));
        s->average[INCREMENTS].values = wall_densities_values(s->densities);
    }
    if (is_bare(domain)) return KOL_OK;
    return wall_planes_create(domain->memory, &domain->comm, &domain->decomp, domain->grid.box,
                              reduction_blocks(domain->reduction), s->wall.normal, &s->planes);
}

static kol_status create_section(const struct domain *domain, struct statistics *s)
{
    TRY(section_scalars_create(domain, &s->section, !is_bare(domain), &s->section_scalars));
    if (is_bare(domain)) return KOL_OK;
    return section_sums_create(domain->memory, &domain->comm, &domain->decomp, domain->grid.box,
                               reduction_blocks(domain->reduction), s->section.along, SECTION_SUMS_ROOM,
                               &s->section_sums);
}

static kol_status create_own_spectra(const struct domain *domain, struct statistics *s)
{
    TRY(box_spectra_create(domain->memory, &domain->comm, domain->in, &domain->grid, s->slabs, &s->spectra));
    TRY(box_increments_create(domain->memory, &domain->comm, &domain->grid, s->slabs, &s->increments));
    TRY(box_scalar_spectra_create(domain->memory, domain->in, s->spectra, &s->scalar_spectra));
    s->average[SPECTRA].values =
        box_spectra_values(s->spectra) + box_scalar_spectra_values(s->scalar_spectra);
    TRY(box_scalar_densities_create(domain->memory, &domain->comm, domain->in, s->increments,
                                    s->scalar_spectra, &s->scalar_densities));
    s->average[INCREMENTS].values =
        box_increments_values(s->increments) + box_scalar_densities_values(s->scalar_densities);
    if (is_bare(domain)) return KOL_OK;
    s->values = box_slabs_values(s->slabs);
    if (fits_pool(domain->grid.box, s->values)) return KOL_OK;
    return memory_kernel(domain->memory, (size_t)(WORK * s->values) * sizeof *s->memory, (void **)&s->memory);
}

static kol_status create_spectra(const struct domain *domain, struct statistics *s)
{
    TRY(box_slabs_create(domain->memory, &domain->comm, &domain->decomp, &domain->grid, transport_for(domain),
                         &s->slabs));
    return memory_agree(domain->memory, &domain->comm, create_own_spectra(domain, s));
}

static kol_status create_volumes(const struct domain *domain, struct statistics *s)
{
    TRY(volume_densities_create(domain, !is_bare(domain), &s->volumes));
    s->average[VOLUMES].values = volume_densities_values(s->volumes);
    return KOL_OK;
}

kol_status statistics_create(const struct domain *domain, struct statistics **out)
{
    if (!wanted(domain->in)) return KOL_OK;
    TRY(statistics_check(domain));
    struct statistics *s = *out = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    TRY(find_averages(domain, s));
    if (s->kind == KIND_WALLED) TRY(create_walled(domain, s));
    if (s->kind == KIND_SECTION) TRY(create_section(domain, s));
    if (s->kind == KIND_CELLS) TRY(cell_averages_create(domain->memory, domain, &s->cells));
    if (wants_spectra(domain->in)) TRY(create_spectra(domain, s));
    if (wants_volumes(domain->in)) TRY(create_volumes(domain, s));
    return domain->comm.rank == 0 ? create_memory(domain->memory, !is_bare(domain), s) : KOL_OK;
}

kol_status statistics_host(const struct domain *domain, double *bytes)
{
    struct memory counted = {.host = 0};
    *bytes = 0;
    if (!wanted(domain->in)) return KOL_OK;
    struct statistics *s = calloc(1, sizeof *s);
    if (s == NULL) RAISE(KOL_ERR_MEMORY, "no memory for statistics");
    kol_status st = find_averages(domain, s);
    if (st == KOL_OK && s->kind == KIND_SECTION) /* its file takes memory, too */
        st = section_scalars_create(domain, &s->section, 0, &s->section_scalars);
    if (st == KOL_OK) st = create_memory(&counted, 1, s);
    if (st == KOL_OK && s->kind == KIND_CELLS) {
        st = cell_averages_create(&counted, domain, &s->cells);
        if (st == KOL_OK) cell_work_count(&counted, s->cells);
    }
    if (st == KOL_OK && statistics_behind_wanted(domain->in)) st = statistics_behind_create(&counted, s);
    if (s->kind == KIND_SECTION || s->kind == KIND_CELLS || s->average[PHASES].values > 0)
        *bytes = (double)(counted.host + counted.temporary);
    statistics_destroy(&s);
    return st;
}

void statistics_destroy(struct statistics **statistics)
{
    struct statistics *s = *statistics;
    if (s == NULL) return;
    wall_planes_destroy(&s->planes);
    phase_profiles_destroy(&s->phases);
    profiles_destroy(&s->wall);
    section_sums_destroy(&s->section_sums);
    section_scalars_destroy(&s->section_scalars);
    section_time_average_destroy(&s->fields);
    section_fields_destroy(&s->section);
    cell_averages_destroy(&s->cells);
    wall_densities_destroy(&s->densities);
    volume_densities_destroy(&s->volumes);
    wall_spectra_destroy(&s->heights);
    box_scalar_spectra_destroy(&s->scalar_spectra);
    box_spectra_destroy(&s->spectra);
    box_scalar_densities_destroy(&s->scalar_densities);
    box_increments_destroy(&s->increments);
    box_slabs_destroy(&s->slabs);
    mem_kernel_free(s->memory);
    for (int n = 0; n < AVERAGES; ++n) {
        batch_means_destroy(&s->average[n].batches);
        mem_host_free(s->average[n].memory);
        free(s->average[n].sample);
        batch_means_destroy(&s->behind[n].batches);
    }
    free(s->image);
    free(s->stored);
    free(s);
    *statistics = NULL;
}

/* --- samples --- */

static kol_status hold(const struct domain *domain, const char *name, real *array[COMPONENTS])
{
    for (int c = 0; c < COMPONENTS; ++c) TRY(pool_hold(domain->pool, name, &array[c]));
    return KOL_OK;
}

static kol_status drop(const struct domain *domain, real *array[COMPONENTS])
{
    for (int c = 0; c < COMPONENTS; ++c) TRY(pool_drop(domain->pool, &array[c]));
    return KOL_OK;
}

static kol_status rhs_of(const struct flow *flow, real nu, real *const to[COMPONENTS])
{
    const struct domain *domain = flow->domain;
    return momentum_rhs(domain->grid.box, domain->grid.m, cells_all(), nu, flow->vel[X], flow->vel[Y],
                        flow->vel[Z], to[X], to[Y], to[Z]);
}

static kol_status sample_stresses(struct statistics *s, const struct flow *flow, double *sample)
{
    const struct domain *domain = flow->domain;
    real *convection[COMPONENTS], *momentum[COMPONENTS];
    TRY(hold(domain, "convection", convection));
    TRY(hold(domain, "right-hand side", momentum));
    if (!pool_counts(domain->pool)) {
        TRY(rhs_of(flow, 0, convection));
        TRY(rhs_of(flow, (real)domain->in->fluid.nu, momentum));
        TRY(wall_planes_stresses(s->planes, &domain->grid, flow->vel, flow->pressure.p, convection, momentum,
                                 sample));
    }
    TRY(drop(domain, convection));
    return drop(domain, momentum);
}

static kol_status sample_walled(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double *sample = s->average[MEANS].sample, *behind = NULL;
    TRY(wall_planes_sample(s->planes, &domain->grid, flow->vel, flow->pressure.p, sample));
    if (sample != NULL) behind = sample + (ptrdiff_t)AVG_COUNT * s->wall.levels;
    if (s->wall.stresses) TRY(sample_stresses(s, flow, behind));
    if (s->wall.quadrants)
        TRY(wall_planes_quadrants(s->planes, &domain->grid, flow->vel, s->wall.stream, s->wall.hole, sample,
                                  sample != NULL ? sample + profiles_quadrants(&s->wall) : NULL));
    TRY(scalar_samples_walled(s->planes, &s->wall, flow, sample));
    if (sample == NULL) return KOL_OK;
    sample[profiles_extra(&s->wall, PROFILE_EXTRA_FORCE)] = flow->force.gradient;
    sample[profiles_extra(&s->wall, PROFILE_EXTRA_KIND)] = profiles_kind(&s->wall);
    memcpy(sample + profiles_extra(&s->wall, PROFILE_EXTRA_HOLES), s->wall.hole, sizeof s->wall.hole);
    return KOL_OK;
}

/* Rank 0 has the moments of scalars, in the sample of the means. */
static kol_status sample_volumes(struct statistics *s, const struct flow *flow)
{
    struct volume_moments moments[SCALARS_MOST];
    if (s->volumes == NULL) return KOL_OK;
    const double *of_section = s->average[THETA_MEANS].sample, *of_box = s->average[MEANS].sample;
    if (of_section != NULL) section_scalars_volume(s->section_scalars, of_section, moments);
    else if (of_box != NULL) box_scalars_volume(&s->box.scalars, of_box + BOX_VALUES, moments);
    return volume_densities_sample(s->volumes, flow, moments, s->average[VOLUMES].sample);
}

static kol_status sample_section(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double *lines = s->average[LINE_MEANS].sample;
    TRY(section_sums_sample(s->section_sums, &domain->grid, flow->vel, flow->pressure.p,
                            section_time_average_sample(s->fields)));
    TRY(section_scalars_sample(s->section_scalars, flow, s->average[THETA_MEANS].sample));
    TRY(sample_volumes(s, flow));
    if (lines == NULL) return KOL_OK;
    TRY(section_time_average_numbers(s->fields, lines, &s->sound));
    lines[s->section.line_first[LINES] + NUMBER_FORCE] = flow->force.gradient;
    return s->sound ? KOL_OK : section_time_average_latest(s->fields, s->average[MEANS].sample);
}

static kol_status sample_box(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    double value[BOX_VALUES + SCALARS_MOST * THETA_MOMENT_COUNT];
    TRY(box_sample(&s->box, &domain->grid, domain->reduction, flow->vel, flow->pressure.p, value));
    value[BOX_EXTRA_POWER] = flow->force.power;
    TRY(box_scalars_sample(&s->box.scalars, flow, value + BOX_VALUES));
    if (s->average[MEANS].sample != NULL)
        memcpy(s->average[MEANS].sample, value, (size_t)s->average[MEANS].values * sizeof *value);
    return sample_volumes(s, flow);
}

/* Takes arrays for lines, from the pool or apart from it. */
static kol_status hold_work(const struct domain *domain, struct statistics *s, real *held[WORK],
                            double *work[WORK])
{
    const int fits = fits_pool(domain->grid.box, s->values);
    for (int n = 0; n < WORK; ++n) {
        held[n] = NULL;
        if (fits) TRY(pool_hold(domain->pool, "lines of statistics", &held[n]));
        work[n] = fits ? (double *)(void *)held[n] : s->memory + n * s->values;
    }
    return KOL_OK;
}

static kol_status sample_spectra(struct statistics *s, const struct flow *flow, double *const work[WORK])
{
    const struct domain *domain = flow->domain;
    real *convection[COMPONENTS];
    TRY(hold(domain, "convection", convection));
    if (!pool_counts(domain->pool)) {
        TRY(rhs_of(flow, 0, convection));
        double *sample = s->average[SPECTRA].sample;
        TRY(box_spectra_sample(s->spectra, s->slabs, flow->vel, convection, work, sample));
        TRY(box_scalar_spectra_sample(s->scalar_spectra, s->slabs, flow, convection, work,
                                      sample != NULL ? sample + box_spectra_values(s->spectra) : NULL));
    }
    return drop(domain, convection);
}

static kol_status sample_increments(struct statistics *s, const struct flow *flow, double *const work[WORK])
{
    const struct domain *domain = flow->domain;
    double vorticity[COMPONENTS];
    if (pool_counts(domain->pool)) return KOL_OK;
    TRY(box_vorticity(&s->box, &domain->grid, domain->reduction, flow->vel, flow->pressure.p, vorticity));
    const double *spectrum = s->average[SPECTRA].sample;
    double *sample = s->average[INCREMENTS].sample;
    TRY(box_increments_sample(s->increments, s->slabs, &domain->grid, flow->vel, vorticity, s->spectra,
                              spectrum, work, sample));
    return box_scalar_densities_sample(s->scalar_densities, s->slabs, flow,
                                       spectrum != NULL ? spectrum + box_spectra_values(s->spectra) : NULL,
                                       work,
                                       sample != NULL ? sample + box_increments_values(s->increments) : NULL);
}

static kol_status sample_lines(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    real *held[WORK];
    double *work[WORK];
    TRY(hold_work(domain, s, held, work));
    TRY(sample_spectra(s, flow, work));
    TRY(sample_increments(s, flow, work));
    for (int n = 0; n < WORK; ++n) TRY(pool_drop(domain->pool, &held[n]));
    return KOL_OK;
}

static int has_begun(const struct flow *flow)
{
    const double start = flow->domain->in->statistics.start;
    return flow->clock.t >= start - START_SLACK * fabs(start);
}

static int is_due(const struct flow *flow, int interval)
{
    return flow->clock.step % interval == 0 && has_begun(flow);
}

/* A sample that would be due is left out: the first one does not follow those of the run before. */
static void pass_over(struct statistics *s, const struct flow *flow, int first, int last, int interval)
{
    if (interval <= 0 || flow->clock.step % interval != 0 || has_begun(flow)) return;
    for (int n = first; n <= last; ++n)
        if (s->average[n].batches != NULL) batch_means_follow_none(s->average[n].batches);
}

/* Describes value n of a sample in words. */
static void name_value(const struct statistics *s, int average, int n, char name[NAME_BYTES],
                       char where[NAME_BYTES])
{
    const char *what = "the force";
    if (average == SPECTRA) what = "a spectrum";
    else if (average == INCREMENTS) what = "a structure function or density";
    else if (average == LINE_MEANS) what = "a number of the section";
    else if (average == THETA_MEANS) what = "a scalar over the section";
    else if (average == VOLUMES) what = "a density of a scalar";
    else if (s->kind == KIND_BOX && n < BOX_VALUES) what = box_sums[n].long_name;
    snprintf(name, NAME_BYTES, "%s", what);
    if (average == MEANS && s->kind == KIND_BOX && n >= BOX_VALUES)
        box_scalars_name_sum(&s->box.scalars, n - BOX_VALUES, name, NAME_BYTES);
    if (average == MEANS && s->kind == KIND_WALLED && n < profiles_extra(&s->wall, 0)) {
        profiles_name_sum(&s->wall, n / s->wall.levels, name, NAME_BYTES);
        snprintf(where, NAME_BYTES, " on level %d from wall to wall", n % s->wall.levels);
    }
    if (average == MEANS && s->kind == KIND_SECTION)
        section_fields_name_value(&s->section, n, name, where, NAME_BYTES);
}

/* Whether a sample is finite; if not, it would spoil the averages and the checkpoints. Only rank 0 has the
 * sample, so the ranks agree on the fault before the next step. */
static int is_sound(const struct statistics *s, const struct flow *flow, const struct average *a)
{
    for (int n = 0; n < a->values; ++n) {
        if (isfinite(a->sample[n])) continue;
        char name[NAME_BYTES], where[NAME_BYTES] = "";
        name_value(s, (int)(a - s->average), n, name, where);
        pending_put(flow->domain->pending,
                    status_raise(KOL_ERR_NUMERICAL, __FILE__, __LINE__,
                                 "the mean of %s is %g%s in step %lld, t = %.6g: the averages are unchanged. "
                                 "Choose other units, or refine the grid",
                                 name, a->sample[n], where, flow->clock.step, flow->clock.t));
        return 0;
    }
    return 1;
}

static void add_sample(const struct statistics *s, const struct flow *flow, struct average *a)
{
    if (a->batches != NULL && is_sound(s, flow, a)) batch_means_add(a->batches, flow->clock.t, a->sample);
}

/* Adds the sample of the profiles to its phase. */
static void add_phase(const struct statistics *s, const struct flow *flow)
{
    const struct average *means = &s->average[MEANS];
    struct batch_means *b = s->average[PHASES].batches;
    if (b != NULL && is_sound(s, flow, means))
        phase_profiles_add(&s->phases, &s->wall, means->sample, flow->clock.t, b);
}

/* Adds a sample of the fields, and the lines and numbers of the same sample. A sum over a row may overflow
 * although each of its values is finite; then the values are checked. */
static kol_status add_section(struct statistics *s, const struct flow *flow)
{
    struct average *means = &s->average[MEANS], *lines = &s->average[LINE_MEANS],
                   *scalars = &s->average[THETA_MEANS];
    if (means->batches == NULL || !(s->sound || is_sound(s, flow, means)) || !is_sound(s, flow, lines) ||
        !is_sound(s, flow, scalars))
        return KOL_OK;
    TRY(section_time_average_add(s->fields, means->batches, flow->clock.t));
    batch_means_add(lines->batches, flow->clock.t, lines->sample);
    if (scalars->batches != NULL) batch_means_add(scalars->batches, flow->clock.t, scalars->sample);
    add_sample(s, flow, &s->average[VOLUMES]);
    return KOL_OK;
}

static kol_status take_means(struct statistics *s, const struct flow *flow)
{
    if (s->kind == KIND_CELLS) return cell_averages_add(s->cells, flow, s->average[CELL_MEANS].batches);
    TRY(s->kind == KIND_WALLED    ? sample_walled(s, flow)
        : s->kind == KIND_SECTION ? sample_section(s, flow)
                                  : sample_box(s, flow));
    if (s->kind == KIND_SECTION) return add_section(s, flow);
    add_sample(s, flow, &s->average[MEANS]);
    add_sample(s, flow, &s->average[VOLUMES]);
    add_phase(s, flow);
    return KOL_OK;
}

static int wants_lines(const struct statistics *s)
{
    return s->heights != NULL || s->spectra != NULL;
}

/* Takes a sample of lines: between walls the spectra at several heights; in periodic boxes spectra,
 * increments and densities. */
static kol_status take_lines(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    if (s->heights != NULL) {
        TRY(wall_spectra_sample(s->heights, &domain->grid, flow->vel, flow->pressure.p, flow->scalar,
                                s->average[SPECTRA].sample));
        TRY(wall_densities_sample(s->densities, flow, s->average[SPECTRA].sample,
                                  s->average[INCREMENTS].sample));
        add_sample(s, flow, &s->average[SPECTRA]);
        add_sample(s, flow, &s->average[INCREMENTS]);
    }
    if (s->spectra != NULL) {
        TRY(sample_lines(s, flow));
        add_sample(s, flow, &s->average[SPECTRA]);
        add_sample(s, flow, &s->average[INCREMENTS]);
    }
    return KOL_OK;
}

/* Number of steps between two samples. Fields over a section cost more than profiles, because they have more
 * sums, which rank 0 adds up place by place. */
static int interval_of(const struct input *in, enum kind kind)
{
    enum { PRESET = 20, PRESET_SECTION = 100 };
    if (in->statistics.interval > 0) return in->statistics.interval;
    return kind == KIND_SECTION ? PRESET_SECTION : PRESET;
}

int statistics_wants_pressure(const struct statistics *s, const struct flow *flow)
{
    const struct input *in = flow->domain->in;
    return s != NULL && is_due(flow, interval_of(in, s->kind));
}

int statistics_solves_pressure(const struct statistics *s, const struct flow *flow)
{
    const struct input *in = flow->domain->in;
    if (s == NULL || in->statistics.pressure != SAMPLE_PRESSURE_SOLVED) return 0;
    return pool_counts(flow->domain->pool) || is_due(flow, interval_of(in, s->kind)) ||
           (wants_lines(s) && is_due(flow, in->statistics.spectra_interval));
}

kol_status statistics_step(struct statistics *s, const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    if (s == NULL) return KOL_OK;
    TRY(profile_phase(domain->profile, "statistics"));
    pass_over(s, flow, MEANS, MEANS, interval_of(domain->in, s->kind));
    pass_over(s, flow, PHASES, VOLUMES, interval_of(domain->in, s->kind));
    pass_over(s, flow, SPECTRA, INCREMENTS, domain->in->statistics.spectra_interval);
    if (is_due(flow, interval_of(domain->in, s->kind))) {
        TRY(take_means(s, flow));
        TRY(statistics_look(domain, s));
    }
    return wants_lines(s) && is_due(flow, domain->in->statistics.spectra_interval) ? take_lines(s, flow)
                                                                                   : KOL_OK;
}

/* If arrays are only counted, a sample takes those that it works in, and nothing else. */
static kol_status count_arrays(struct statistics *s, const struct flow *flow)
{
    if (s != NULL && s->kind == KIND_WALLED && s->wall.stresses) TRY(sample_stresses(s, flow, NULL));
    if (s != NULL && s->kind == KIND_WALLED) TRY(scalar_samples_walled(s->planes, &s->wall, flow, NULL));
    if (s != NULL && s->cells != NULL) TRY(cell_budgets_arrays(s->cells->budgets, flow->domain));
    if (s != NULL && s->kind == KIND_SECTION) TRY(section_scalars_sample(s->section_scalars, flow, NULL));
    return s != NULL && s->spectra != NULL ? sample_lines(s, flow) : KOL_OK;
}

kol_status statistics_sample(struct statistics *s, const struct flow *flow)
{
    if (pool_counts(flow->domain->pool)) return count_arrays(s, flow);
    TRY(take_means(s, flow));
    return take_lines(s, flow);
}
