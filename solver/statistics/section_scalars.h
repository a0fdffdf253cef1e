/* Scalars over the cross-section of a flow that is homogeneous in one direction: means, moments, turbulent
 * fluxes and numbers, from the sums of kernels/line_scalar.h. docs/statistics.md, "Scalars over sections". */
#ifndef KOL_STATISTICS_SECTION_SCALARS_H
#define KOL_STATISTICS_SECTION_SCALARS_H

#include "batch_means.h"
#include "netcdf_content.h"
#include "section_fields.h"
#include "state/domain.h"
#include "state/flow.h"
#include "volume_densities.h"

struct section_scalars;
/* section_scalars_create: prepares samples of the scalars of the input. If it has none, *out stays NULL. s is
 * borrowed. with_flow: whether samples are taken; otherwise files are only read and written.
 * section_scalars_destroy: frees the object; NULL is allowed. */
kol_status section_scalars_create(const struct domain *domain, const struct section_fields *s, int with_flow,
                                  struct section_scalars **out);
void section_scalars_destroy(struct section_scalars **q);
/* section_scalars_values: returns the number of values of a sample; 0 without scalars. It may exceed the
 * range of int; statistics_check() refuses such inputs. */
double section_scalars_values(const struct input *in, const struct grid *g);
/* section_scalars_sample: computes the means over the homogeneous direction. Rank 0 gets them in value, which
 * is NULL on the others. The halos of the flow must be filled. The bits are the same on any number of ranks.
 * Collective: sums are sent from rank to rank along the homogeneous direction, then to rank 0. */
kol_status section_scalars_sample(struct section_scalars *q, const struct flow *flow, double *value);
/* section_scalars_volume: gives the moments of each scalar over the volume, from a sample. */
void section_scalars_volume(const struct section_scalars *q, const double *sample,
                            struct volume_moments moments[SCALARS_MOST]);
/* section_scalars_room: gives the numbers of variables and of numbers that the file needs.
 * section_scalars_add: adds the scalars to the content that section_netcdf() makes of the same samples. Both
 * do nothing if q is NULL. axis: numbers of the axes of cells along a, b and of faces along a, b. */
struct section_scalars_room {
    int variables;
    ptrdiff_t numbers;
};
struct section_scalars_room section_scalars_room(const struct section_scalars *q);
kol_status section_scalars_add(const struct section_scalars *q, const struct batch_means *average,
                               const int axis[4], struct netcdf_content *p);
/* section_scalars_print: prints a table of names, units and descriptions for a scalar T and a stream along x,
 * for docs/statistics.md. */
void section_scalars_print(FILE *out);

#endif
