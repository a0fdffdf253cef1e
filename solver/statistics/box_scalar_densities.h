/* Probability densities of scalars and of their gradients in a periodic box with uniform spacings, in the
 * form of box_increments.h. docs/statistics.md, "Densities of scalars". */
#ifndef KOL_STATISTICS_BOX_SCALAR_DENSITIES_H
#define KOL_STATISTICS_BOX_SCALAR_DENSITIES_H

#include "box_increments.h"
#include "box_scalar_spectra.h"

struct box_scalar_densities;
/* box_scalar_densities_create: prepares samples of the scalars of the input. If it has none, *out stays NULL.
 * c, increments and spectra are borrowed. box_scalar_densities_destroy: frees the object; NULL is allowed. */
kol_status box_scalar_densities_create(struct memory *memory, const struct comm *c, const struct input *in,
                                       const struct box_increments *increments,
                                       const struct box_scalar_spectra *spectra,
                                       struct box_scalar_densities **out);
void box_scalar_densities_destroy(struct box_scalar_densities **q);
/* box_scalar_densities_values: returns the number of values of a sample; 0 if q is NULL. They come behind
 * those of box_increments_sample(). */
int box_scalar_densities_values(const struct box_scalar_densities *q);
/* box_scalar_densities_sample: computes a sample. Rank 0 gets it in value; value is NULL on other ranks. If
 * the spectrum has the same bits on any number of ranks, so has the sample. Collective.
 *
 *   spectrum   on rank 0: a sample of the spectra of the scalars of the same flow. The bins follow from its
 *              means and root mean squares
 *   work       as for box_increments_sample() */
kol_status box_scalar_densities_sample(struct box_scalar_densities *q, struct box_slabs *slabs,
                                       const struct flow *flow, const double *spectrum,
                                       double *const work[BOX_INCREMENTS_WORK], double *value);
/* box_scalar_densities_room: returns what the file needs for the scalars. box_scalar_densities_add: adds them
 * to the content that box_increments_netcdf() made of the same average. Both do nothing if q is NULL. */
struct box_spectra_room box_scalar_densities_room(const struct box_scalar_densities *q);
kol_status box_scalar_densities_add(const struct box_scalar_densities *q, const struct batch_means *average,
                                    const double *latest, struct netcdf_content *p);
/* box_scalar_densities_print: prints a table of names, units and descriptions for a scalar T, for
 * docs/statistics.md. */
void box_scalar_densities_print(FILE *out);

#endif
