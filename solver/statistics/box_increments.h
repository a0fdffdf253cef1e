/* Structure functions and probability densities of the velocity in a periodic box with uniform spacings.
 * docs/statistics.md has the formulas. */
#ifndef KOL_STATISTICS_BOX_INCREMENTS_H
#define KOL_STATISTICS_BOX_INCREMENTS_H

#include <stdio.h>
#include "kernels/increments.h"
#include "netcdf_content.h"
#include "box_slabs.h"
#include "box_spectra.h"

enum { BOX_INCREMENTS_WORK = 2 }; /* number of work arrays that box_increments_sample() needs */

struct box_increments;
/* box_increments_create: prepares samples of structure functions and densities. slabs and c are borrowed. */
kol_status box_increments_create(struct memory *memory, const struct comm *c, const struct grid *g,
                                 const struct box_slabs *slabs, struct box_increments **out);
/* box_increments_destroy: frees the object; NULL is allowed. */
void box_increments_destroy(struct box_increments **t);
/* box_increments_values: returns the number of values of a sample. */
int box_increments_values(const struct box_increments *t);
/* box_increments_sample: computes a sample. Rank 0 gets it in value; value is NULL on the others.
 *
 *   vel         velocity, with one halo layer, edges included, up to date
 *   vorticity   mean squares of the components of the vorticity [1/T^2]
 *   spectra     the spectra object
 *   spectrum    a sample of the spectra object for the same flow; it is read on rank 0 alone. Its root mean
 *               squares are the units in which the bins are defined.
 *   work        scratch of BOX_INCREMENTS_WORK arrays, each of box_slabs_values() doubles in kernel memory
 *
 * In the CPU build the bits are the same on any number of ranks. Collective. */
kol_status box_increments_sample(struct box_increments *t, struct box_slabs *slabs, const struct grid *g,
                                 real *const vel[3], const double vorticity[3],
                                 const struct box_spectra *spectra, const double *spectrum,
                                 double *const work[BOX_INCREMENTS_WORK], double *value);
/* box_increments_lines: returns the lines along a direction. On them only increments over one spacing are
 * counted. */
struct lines box_increments_lines(const struct box_increments *t, int direction);
/* box_increments_netcdf: makes the content of pdf.nc from an average and its latest sample. The caller
 * destroys it. more: as for box_spectra_netcdf(). The axis of the bins is BOX_INCREMENTS_BINS. */
enum { BOX_INCREMENTS_BINS };
kol_status box_increments_netcdf(const struct box_increments *t, const struct batch_means *average,
                                 const double *latest, struct box_spectra_room more,
                                 struct netcdf_content **out);
/* box_increments_print: prints a table of names, units and descriptions, for docs/statistics.md. */
void box_increments_print(FILE *out);

#endif
