/* Probability densities of scalars over the volume: of flows that are homogeneous in one direction, and of
 * periodic boxes whose cells differ in size. docs/statistics.md, "Densities of scalars". */
#ifndef KOL_STATISTICS_VOLUME_DENSITIES_H
#define KOL_STATISTICS_VOLUME_DENSITIES_H

#include <stdio.h>
#include "batch_means.h"
#include "netcdf_content.h"
#include "state/domain.h"
#include "state/flow.h"

struct volume_densities;
/* volume_moments: of a scalar the mean over the volume, and the mean of its square. */
struct volume_moments {
    double mean, square;
};
/* volume_densities_create: prepares samples of all scalars of the input. If it has none, *out stays NULL.
 * with_flow: whether samples are taken; otherwise files are only read and written. domain is borrowed.
 * volume_densities_destroy: frees the object; NULL is allowed. */
kol_status volume_densities_create(const struct domain *domain, int with_flow, struct volume_densities **out);
void volume_densities_destroy(struct volume_densities **q);
/* volume_densities_values: returns the number of values of a sample; 0 if q is NULL. */
int volume_densities_values(const struct volume_densities *q);
/* volume_densities_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others. moments:
 * of each scalar of the same flow, read on rank 0 alone; they give the bins. The bits are the same on any
 * number of ranks, if those of the moments are. If q is NULL, it does nothing. Collective. */
kol_status volume_densities_sample(struct volume_densities *q, const struct flow *flow,
                                   const struct volume_moments *moments, double *value);
/* volume_densities_netcdf: makes the content of pdf.nc from an average. The caller destroys it. */
kol_status volume_densities_netcdf(const struct volume_densities *q, const struct batch_means *average,
                                   struct netcdf_content **out);
/* volume_densities_print: prints a table of names, units and descriptions for a scalar T, for
 * docs/statistics.md. */
void volume_densities_print(FILE *out);

#endif
