/* Moments of scalars in a periodic box, and scales of their turbulence. They are computed from the volume
 * means of kernels/scalar_moments.h. docs/statistics.md, "Scalars in a box". */
#ifndef KOL_STATISTICS_BOX_SCALARS_H
#define KOL_STATISTICS_BOX_SCALARS_H

#include <stdio.h>
#include "inputs/input.h"
#include "kernels/scalar_moments.h"
#include "netcdf_content.h"
#include "state/flow.h"
#include "volume_densities.h"

/* Quantities of each scalar; those of the directions x, y, z follow one another. */
enum {
    BS_MEAN,
    BS_VARIANCE,
    BS_RMS,
    BS_SKEWNESS,
    BS_FLATNESS,
    BS_FLUX,
    BS_CORRELATION = BS_FLUX + 3,
    BS_PRODUCTION = BS_CORRELATION + 3,
    BS_DISSIPATION,
    BS_TIME,
    BS_TIME_RATIO,
    BS_TAYLOR,
    BS_BATCHELOR,
    BS_GRADIENT,
    BS_GRADIENT_SKEWNESS = BS_GRADIENT + 3,
    BS_GRADIENT_FLATNESS = BS_GRADIENT_SKEWNESS + 3,
    BS_MIXED_SKEWNESS = BS_GRADIENT_FLATNESS + 3,
    BOX_SCALAR_VALUES = BS_MIXED_SKEWNESS + 3
};

/* box_scalars: the scalars of a flow. Names and units are borrowed from the input. */
struct box_scalars {
    int count;
    struct {
        const char *name, *unit;
        double kappa, gradient[3];
    } of[SCALARS_MOST];
};
struct box_scalars box_scalars_make(const struct input *in);
/* box_scalars_sums: returns the number of values of a sample, of all scalars. box_scalars_values: returns the
 * number of quantities of all scalars. */
static inline int box_scalars_sums(const struct box_scalars *s)
{
    return s->count * THETA_MOMENT_COUNT;
}

static inline int box_scalars_values(const struct box_scalars *s)
{
    return s->count * BOX_SCALAR_VALUES;
}

/* box_scalars_sample: computes the volume means of a flow whose halos are filled. All ranks get them. The
 * bits are the same on any number of ranks. Collective. */
kol_status box_scalars_sample(const struct box_scalars *s, const struct flow *flow, double *value);
/* box_scalars_derive: computes the quantities from a mean of samples.
 *
 *   velocity   of each component the mean, the variance and the mean square of its longitudinal gradient
 *   k, dissipation, eta   of the flow */
struct box_scalars_flow {
    double mean[3], variance[3], along[3], k, dissipation, eta, nu;
};
void box_scalars_derive(const struct box_scalars *s, struct box_scalars_flow flow, const double *mean,
                        double *out);
/* box_scalars_volume: gives the moments of each scalar over the volume, from a sample. */
void box_scalars_volume(const struct box_scalars *s, const double *sample,
                        struct volume_moments moments[SCALARS_MOST]);
/* box_scalars_add: adds to a file the quantities with their errors, the quantities of the latest sample, and
 * the raw sums. box_scalars_room: returns the number of these variables. */
void box_scalars_add(const struct box_scalars *s, struct netcdf_content *p, const double *value,
                     const double *error, const double *now, const double *sum);
int box_scalars_room(const struct box_scalars *s);
/* box_scalars_name_sum: writes the description of value n of a sample. box_scalars_print: prints a table of
 * names, units and descriptions, for docs/statistics.md. */
void box_scalars_name_sum(const struct box_scalars *s, int n, char *out, size_t size);
void box_scalars_print(FILE *out);

#endif
