/* Averages profiles between walls by the phase of an oscillating drive. */
#include "phase_profiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "kernels/base/constants.h"

/* Tolerance for the rounding of the clock, over a phase or a cycle. */
static const double SLACK = 1e-6;

static ptrdiff_t own_block(const struct phase_profiles *p)
{
    return phase_profiles_block(p->wall.levels, p->wall.scalars.count);
}

kol_status phase_profiles_create(const struct input *in, const struct wall_profiles *w,
                                 struct phase_profiles *p)
{
    *p = (struct phase_profiles){.phases = in->statistics.phases,
                                 .frequency = in->forcing.frequency,
                                 .offset = in->forcing.phase,
                                 .wall = *w};
    p->wall.stresses = p->wall.quadrants = 0;
    p->part = calloc((size_t)own_block(p), sizeof *p->part);
    if (p->part == NULL) RAISE(KOL_ERR_MEMORY, "no memory for profiles of %d levels by phase", w->levels);
    return KOL_OK;
}

void phase_profiles_destroy(struct phase_profiles *p)
{
    free(p->part);
    p->part = NULL;
}

/* Number of the phase of time t. A time that is at the end of a phase except for rounding belongs to the next
 * one. */
static int phase_of(const struct phase_profiles *p, double t)
{
    const double cycles = p->frequency * t + p->offset / (2 * PI),
                 phase = floor((cycles - floor(cycles)) * p->phases + SLACK);
    return phase >= p->phases ? 0 : (int)phase;
}

/* Number of the cycle of time t, from the first sample on. */
static double cycle_of(const struct phase_profiles *p, const struct batch_means *b, double t)
{
    return floor((t - batch_means_begin(b)) * p->frequency + SLACK);
}

void phase_profiles_add(const struct phase_profiles *p, const struct wall_profiles *w, const double *sample,
                        double t, struct batch_means *b)
{
    const ptrdiff_t block = own_block(p), each = (ptrdiff_t)THETA_COUNT * w->levels;
    const int is_first = batch_means_samples(b) == 0;
    const double before = batch_means_end(b);
    p->part[0] = 1;
    double *sums = p->part + 1;
    memcpy(sums, sample, (size_t)AVG_COUNT * (size_t)w->levels * sizeof *sample);
    for (int n = 0; n < w->scalars.count; ++n)
        memcpy(sums + profiles_scalar(&p->wall, n), sample + profiles_scalar(w, n),
               (size_t)each * sizeof *sample);
    memcpy(sums + profiles_extra(&p->wall, 0), sample + profiles_extra(w, 0),
           PROFILE_EXTRAS * sizeof *sample);
    batch_means_add_part(b, t, !is_first && cycle_of(p, b, t) > cycle_of(p, b, before),
                         phase_of(p, t) * block, is_first ? 0 : phase_of(p, before) * block, block, p->part);
}

void phase_profiles_derive(const struct phase_profiles *p, const double *block, double *out)
{
    const ptrdiff_t size = own_block(p), values = profiles_values(&p->wall);
    for (ptrdiff_t i = 0; i < values; ++i) out[i] = NAN;
    if (!(block[0] > 0)) return;
    for (ptrdiff_t i = 1; i < size; ++i) p->part[i - 1] = block[i] / block[0];
    profiles_derive(&p->wall, p->part, out);
}
