/* Checks that the statistics of the input are possible, and computes the memory that they need, of the pool
 * and of the host, while samples are taken and files are written. */
#include <limits.h>
#include <stddef.h>
#include "phase_page.h"
#include "section_errors.h"
#include "statistics_internal.h"

/* Number of values in a sample of fields; 0 if there are none. */
static double section_values(const struct domain *domain)
{
    if (!wanted(domain->in) || kind_of(domain->in) != KIND_SECTION) return 0;
    return (double)section_sums_first(domain->grid.n_g, section_fields_along(domain->in), LINE_SUM_COUNT);
}

/* Number of values in the vectors of averages by phase; 0 if there are none. */
static double phase_values(const struct domain *domain)
{
    const int normal = profiles_normal(domain->in);
    return phases_wanted(domain->in) && normal >= 0
               ? phase_profiles_values(domain->in, domain->grid.n_g[normal] + 1)
               : 0;
}

static kol_status check_phases(const struct domain *domain)
{
    const double state = phase_values(domain) * (BATCH_MEANS_FIELDS + BATCH_MEANS_BEHIND + 1);
    const struct input_place by = input_place(domain->source, offsetof(struct input, statistics.phases), 0);
    if (state <= INT_MAX) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s: averages of %d phases would take %.0f numbers, but at most %d are possible; choose "
          "fewer phases",
          by.at, by.name, domain->in->statistics.phases, state, INT_MAX);
}

static kol_status check_shells(const struct domain *domain)
{
    const double shells = box_spectra_shells(&domain->grid);
    const struct input_place by =
        input_place(domain->source, offsetof(struct input, statistics.spectra_interval), 0);
    if (shells <= BOX_SPECTRA_SHELLS) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: %s: spectra of this box have %.0f shells, each as wide as the smallest wavenumber of "
          "its longest side, but at most %d are possible; choose statistics.spectra_interval = 0, or sides "
          "that differ less",
          by.at, by.name, shells, BOX_SPECTRA_SHELLS);
}

/* Checks the size of the state, which is one array in checkpoints. */
kol_status statistics_check(const struct domain *domain)
{
    if (wants_spectra(domain->in)) TRY(check_shells(domain));
    TRY(check_phases(domain));
    const double state = section_values(domain) * (BATCH_MEANS_FIELDS + BATCH_MEANS_BEHIND + 1);
    if (heights_wanted(domain->in))
        return wall_spectra_check(domain->in, domain->source, &domain->grid, profiles_normal(domain->in));
    if (state <= INT_MAX) return KOL_OK;
    const struct input_place by = input_place(domain->source, offsetof(struct input, statistics.start), 0);
    RAISE(KOL_ERR_INPUT,
          "%s: %s: averages over this section would take %.0f numbers, but at most %d are possible; remove "
          "&statistics, or choose a coarser grid",
          by.at, by.name, state, INT_MAX);
}

/* Number of copies if statistics.nc is written while the run goes on. In a CUDA build the host has a copy of
 * the batches anyway. */
static double copies_behind(const struct domain *domain)
{
    const int vectors = section_time_average_apart() ? 0 : BATCH_MEANS_FIELDS + BATCH_MEANS_BEHIND;
    return statistics_behind_wanted(domain->in) ? vectors : 0;
}

/* Of averages by phase: the batches, and their copy for checkpoints; means while the file is written; what is
 * written to it, first as profiles_derive() makes it; and the file itself, which NetCDF may hold twice. */
static double phase_bytes(const struct domain *domain)
{
    enum { COPIES = 2, MEANS_HELD = 3, FILES = 2 };
    const int phases = domain->in->statistics.phases,
              levels = domain->grid.n_g[profiles_normal(domain->in)] + 1;
    const double batches = BATCH_MEANS_FIELDS + BATCH_MEANS_BEHIND, page = phase_page_numbers(phases, levels),
                 derived = 2 * (2.0 * PROFILES * levels + SCALARS) * phases;
    return ((COPIES * batches + MEANS_HELD + FILES * (BATCH_MEANS_FIELDS + 2)) * phase_values(domain) +
            derived + (1 + FILES) * page) *
           (double)sizeof(double);
}

/* Adds up the host memory that rank 0 needs:
 *
 *   - the batches, and their copy for checkpoints;
 *   - a sample, and the part of it that one rank computes;
 *   - what is written to the file, and the strips of the section in which errors are computed;
 *   - the file itself, which NetCDF makes in memory and may hold twice while it grows. */
double statistics_host_bytes(const struct domain *domain)
{
    enum { SAMPLES = 2, PAGE_SAMPLES_HELD = 2, PAGE_FIELDS = 4, FILES = 2 };
    const double batches =
        section_batches_fit(section_values(domain)) ? 1 + FILES * (double)(BATCH_MEANS_FIELDS + 1) : 0;
    const double samples = 2 * (BATCH_MEANS_FIELDS + BATCH_MEANS_BEHIND) + copies_behind(domain) + SAMPLES +
                           PAGE_SAMPLES_HELD + FILES + batches,
                 fields = PAGE_FIELDS + FILES * PAGE_FIELDS;
    const double all =
        (samples + fields * FIELDS / LINE_SUM_COUNT) * section_values(domain) * (double)sizeof(double);
    if (phase_values(domain) > 0) return phase_bytes(domain);
    return all > 0 ? all + section_errors_bytes(domain->grid.n_g, section_fields_along(domain->in),
                                                BATCH_MEANS_FIELDS)
                   : 0;
}
