/* What is made of the sums over a periodic box (kernels/moments.h): moments, scales, dimensionless numbers of
 * the turbulence. docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_BOX_MOMENTS_H
#define KOL_STATISTICS_BOX_MOMENTS_H

#include <stdio.h>
#include "inputs/input.h"
#include "kernels/moments.h"
#include "state/grid.h"
#include "netcdf_page.h"
#include "parallel/reduction.h"

enum {
    BOX_U, /* means; of three components or directions one after another */
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
    BOX_ALONG,                  /* mean squares of the longitudinal gradients */
    BOX_ACROSS = BOX_ALONG + 3, /* of the transverse ones, in the order of kernels/moments.h */
    BOX_ALONG_SKEWNESS = BOX_ACROSS + 6,
    BOX_ALONG_FLATNESS = BOX_ALONG_SKEWNESS + 3,
    BOX_ALL_ALONG_SKEWNESS = BOX_ALONG_FLATNESS + 3, /* of moments averaged over directions */
    BOX_ALL_ALONG_FLATNESS,
    BOX_ALL_ACROSS_SKEWNESS,
    BOX_ALL_ACROSS_FLATNESS,
    BOX_OMEGA, /* root mean squares of the vorticity */
    BOX_OMEGA_FLATNESS = BOX_OMEGA + 3,
    BOX_SCALARS
};
/* What a sample holds beside the volume means of kernels/moments.h: the power of the force over the volume
 * [U^2/T]. */
enum { BOX_EXTRA_POWER = MOMENT_COUNT, BOX_VALUES };
extern const struct netcdf_page_entry box_table[BOX_SCALARS], box_sums[BOX_VALUES];

struct box_moments {
    double nu;     /* [U L] */
    double volume; /* [L^3] */
    double k_max;  /* pi over the largest spacing [1/L] */
};
struct box_moments box_moments_make(const struct input *in, const struct grid *g);
/* box_sample: the volume means of one flow, the same bits on any ranks, on all of them;
 * value[BOX_EXTRA_POWER] is left to the caller. Arrays as moments_sum asks. Collective: a message for each
 * group of sums, none on one rank. */
kol_status box_sample(const struct box_moments *b, const struct grid *g, struct reduction *r,
                      real *const vel[3], const real *p, double *value);
/* box_vorticity: mean squares of the components of the vorticity alone [1/T^2]. */
kol_status box_vorticity(const struct box_moments *b, const struct grid *g, struct reduction *r,
                         real *const vel[3], const real *p, double square[3]);
/* box_derive: a batch_means_derive: context: struct box_moments; mean: BOX_VALUES; out: BOX_SCALARS. NaN
 * where something is not defined. */
void box_derive(const void *context, const double *mean, double *out);
/* box_page: statistics.nc of an average, and of its latest sample; the caller destroys it. box_print: names,
 * units, words as a table for docs/statistics.md. */
kol_status box_page(const struct box_moments *b, const struct batch_means *average, const double *latest,
                    struct netcdf_page **out);
void box_print(FILE *out);

#endif
