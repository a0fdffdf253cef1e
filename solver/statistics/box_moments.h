/* Moments, scales and dimensionless numbers of the turbulence in a periodic box. They are computed from the
 * volume means of kernels/moments.h. docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_BOX_MOMENTS_H
#define KOL_STATISTICS_BOX_MOMENTS_H

#include <stdio.h>
#include "inputs/input.h"
#include "kernels/moments.h"
#include "state/grid.h"
#include "netcdf_content.h"
#include "parallel/reduction.h"
#include "box_scalars.h"

/* Quantities of a periodic box. If a quantity exists for each component or direction, its three values (six
 * for BOX_ACROSS) follow one another. */
enum {
    BOX_U, /* means */
    BOX_UU = BOX_U + 3,
    BOX_UV = BOX_UU + 3,
    BOX_SKEWNESS = BOX_UV + 3,
    BOX_FLATNESS = BOX_SKEWNESS + 3,
    BOX_P_RMS = BOX_FLATNESS + 3,
    BOX_P_SKEWNESS,
    BOX_P_FLATNESS,
    BOX_KINETIC_ENERGY,
    BOX_K,
    BOX_DISSIPATION,
    BOX_ENSTROPHY,
    BOX_HELICITY,
    BOX_POWER,
    BOX_RMS,
    BOX_TAYLOR,
    BOX_TAYLOR_ALONG,
    BOX_TAYLOR_ACROSS,
    BOX_RE_LAMBDA,
    BOX_ETA,
    BOX_ETA_TIME,
    BOX_ETA_VELOCITY,
    BOX_K_MAX_ETA,
    BOX_LARGE_LENGTH,
    BOX_LARGE_TIME,
    BOX_ISOTROPY,
    BOX_ALONG,                  /* mean squares of the longitudinal gradients [1/T^2] */
    BOX_ACROSS = BOX_ALONG + 3, /* the same of the transverse gradients, in the order of kernels/moments.h */
    BOX_ALONG_SKEWNESS = BOX_ACROSS + 6,
    BOX_ALONG_FLATNESS = BOX_ALONG_SKEWNESS + 3,
    BOX_ALL_ALONG_SKEWNESS = BOX_ALONG_FLATNESS + 3, /* from moments averaged over the directions */
    BOX_ALL_ALONG_FLATNESS,
    BOX_ALL_ACROSS_SKEWNESS,
    BOX_ALL_ACROSS_FLATNESS,
    BOX_OMEGA, /* root mean squares of the vorticity [1/T] */
    BOX_OMEGA_FLATNESS = BOX_OMEGA + 3,
    BOX_SCALARS
};
/* A sample holds the volume means of kernels/moments.h, and then the power of the force per unit volume
 * [U^2/T]. */
enum { BOX_EXTRA_POWER = MOMENT_COUNT, BOX_VALUES };
extern const struct netcdf_content_entry box_sums[BOX_VALUES];

struct box_moments {
    double nu;     /* [U L] */
    double volume; /* [L^3] */
    double k_max;  /* pi over the largest spacing [1/L] */
    struct box_scalars scalars;
};
/* box_moments_make: returns the constants that the other functions need, from the viscosity [U L] and the
 * grid. If there are scalars, the caller sets `scalars`. box_moments_sums: returns the number of values of a
 * sample, which are BOX_VALUES and then those of the scalars. box_moments_values: returns the number of
 * quantities, which are BOX_SCALARS and then those of the scalars. */
struct box_moments box_moments_make(double nu, const struct grid *g);
static inline int box_moments_sums(const struct box_moments *b)
{
    return BOX_VALUES + box_scalars_sums(&b->scalars);
}

static inline int box_moments_values(const struct box_moments *b)
{
    return BOX_SCALARS + box_scalars_values(&b->scalars);
}

/* box_sample: computes the volume means of a flow. All ranks get them in value, except
 * value[BOX_EXTRA_POWER], which the caller fills in. The velocity and the pressure are as moments_sum() needs
 * them. The bits are the same on any number of ranks. Collective: one message for each group of sums, but no
 * message on one rank. */
kol_status box_sample(const struct box_moments *b, const struct grid *g, struct reduction *r,
                      real *const vel[3], const real *p, double *value);
/* box_vorticity: computes only the mean squares of the components of the vorticity [1/T^2], from the same
 * arrays. Collective. */
kol_status box_vorticity(const struct box_moments *b, const struct grid *g, struct reduction *r,
                         real *const vel[3], const real *p, double square[3]);
/* box_derive: computes the box_moments_values() quantities from a mean of samples. It is
 * a batch_means_derive function, and its context is a struct box_moments. Quantities that are not defined are
 * NaN. */
void box_derive(const void *context, const double *mean, double *out);
/* box_netcdf: makes the content of statistics.nc from an average and its latest sample. The caller destroys
 * it. */
kol_status box_netcdf(const struct box_moments *b, const struct batch_means *average, const double *latest,
                      struct netcdf_content **out);
/* box_print: prints a table of names, units and descriptions, for docs/statistics.md. */
void box_print(FILE *out);

#endif
