/* Probability densities of scalars in planes parallel to walls, at the heights of wall_spectra.h.
 * docs/statistics.md, "Densities of scalars". */
#ifndef KOL_STATISTICS_WALL_DENSITIES_H
#define KOL_STATISTICS_WALL_DENSITIES_H

#include "state/flow.h"
#include "wall_spectra.h"

struct wall_densities;
/* wall_densities_create: prepares samples at the heights of `heights`, which is borrowed, as c and d are. If
 * there are no scalars, *out stays NULL. with_flow: whether samples are taken; otherwise files are only read
 * and written. wall_densities_destroy: frees the object; NULL is allowed. */
kol_status wall_densities_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                                 const struct wall_spectra *heights, int with_flow,
                                 struct wall_densities **out);
void wall_densities_destroy(struct wall_densities **q);
/* wall_densities_values: returns the number of values of a sample; 0 if q is NULL. */
int wall_densities_values(const struct wall_densities *q);
/* wall_densities_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others. spectrum: a
 * sample of wall_spectra_sample() of the same flow, read on rank 0 alone; it gives the means and the root
 * mean squares in which the bins are defined. The bits are the same on any number of ranks, if those of the
 * spectrum are. Collective. */
kol_status wall_densities_sample(struct wall_densities *q, const struct flow *flow, const double *spectrum,
                                 double *value);
/* wall_densities_same: returns whether a mean of samples, for example from a checkpoint, belongs to these
 * planes. */
int wall_densities_same(const struct wall_densities *q, const double *mean);
/* wall_densities_netcdf: makes the content of pdf.nc from an average. The caller destroys it. */
kol_status wall_densities_netcdf(const struct wall_densities *q, const struct wall_profiles *w,
                                 const struct batch_means *average, struct netcdf_content **out);
/* wall_densities_print: prints a table of names, units and descriptions for a scalar T and walls in z, for
 * docs/statistics.md. */
void wall_densities_print(FILE *out);

#endif
