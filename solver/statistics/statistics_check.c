/* Checks that the statistics of the input are possible. */
#include <limits.h>
#include <stddef.h>
#include "statistics_internal.h"

/* Number of values in a sample of fields and scalars; 0 if there are none. */
static double section_values(const struct domain *domain)
{
    if (!wanted(domain->in) || kind_of(domain->in) != KIND_SECTION) return 0;
    return (double)section_sums_first(domain->grid.n_g, section_fields_along(domain->in), LINE_SUM_COUNT) +
           section_scalars_values(domain->in, &domain->grid);
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
