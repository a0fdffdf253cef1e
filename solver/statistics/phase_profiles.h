/* Profiles between walls by the phase of an oscillating drive. The cycle is divided into parts of equal
 * length, and each sample counts in the part that its time belongs to. Within a part the averages are those
 * of wall_profiles.h from the sums of kernels/plane_average.h and, of scalars, plane_scalar_means(), without
 * budgets of shear stresses and of fluxes of scalars, and without quadrants. docs/statistics.md, "Phases". */
#ifndef KOL_STATISTICS_PHASE_PROFILES_H
#define KOL_STATISTICS_PHASE_PROFILES_H

#include "batch_means.h"
#include "inputs/scalars.h"
#include "wall_profiles.h"

/* phase_profiles: the average over time is one of cycles (batch_means_use_cycles()). Its vector has a block
 * for each phase: the weight of the samples there, over that of all, then the sums of
 * profiles_sample(&wall). */
struct phase_profiles {
    int phases;
    double frequency, offset;  /* cycles over time [1/T]; phase at t = 0 [rad] */
    struct wall_profiles wall; /* its arrays are borrowed */
    double *part;              /* one block */
};

/* phase_profiles_create: fills in *p for the profiles w, whose arrays are borrowed. phase_profiles_destroy:
 * frees the members of p. */
kol_status phase_profiles_create(const struct input *in, const struct wall_profiles *w,
                                 struct phase_profiles *p);
void phase_profiles_destroy(struct phase_profiles *p);
/* phase_profiles_block: returns the number of values of a block. phase_profiles_values: returns the number
 * of values of a vector; the number may exceed the range of int; statistics_check() refuses such inputs. */
static inline ptrdiff_t phase_profiles_block(int levels, int scalars)
{
    return 1 + (AVG_COUNT + scalars * (ptrdiff_t)THETA_COUNT) * levels + PROFILE_EXTRAS;
}

static inline double phase_profiles_values(const struct input *in, int levels)
{
    return (double)in->statistics.phases * (double)phase_profiles_block(levels, scalar_count(in));
}

/* phase_profiles_add: adds the sample of the profiles w at time t to the average b. */
void phase_profiles_add(const struct phase_profiles *p, const struct wall_profiles *w, const double *sample,
                        double t, struct batch_means *b);
/* phase_profiles_derive: computes the profiles of one phase from its block of a mean. They are
 * profiles_values(&wall) numbers, as profiles_derive() computes them. If there is no sample in this phase,
 * they are NaN. */
void phase_profiles_derive(const struct phase_profiles *p, const double *block, double *out);

#endif
