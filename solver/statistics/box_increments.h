/* Structure functions and probability densities of a periodic box of uniform spacings. docs/statistics.md has
 * the formulas. */
#ifndef KOL_STATISTICS_BOX_INCREMENTS_H
#define KOL_STATISTICS_BOX_INCREMENTS_H

#include <stdio.h>
#include "kernels/increments.h"
#include "netcdf_page.h"
#include "box_slabs.h"
#include "box_spectra.h"

enum { BOX_INCREMENTS_WORK = 2 }; /* arrays of box_slabs_values() doubles that a sample takes */

struct box_increments;
/* box_increments_create: slabs and c are borrowed. box_increments_destroy takes NULL. */
kol_status box_increments_create(struct memory *memory, const struct comm *c, const struct grid *g,
                                 const struct box_slabs *slabs, struct box_increments **out);
void box_increments_destroy(struct box_increments **t);
/* box_increments_values: of a sample. box_increments_sample: of the velocity, with a halo layer and edges up
 * to date: into value, on rank 0, where it is not NULL. spectra, spectrum: of the same flow: spectrum is read
 * on rank 0, for the root mean squares that bins are made of. vorticity: mean squares of its components
 * [1/T^2]. The same bits on any ranks in the CPU build. work: BOX_INCREMENTS_WORK arrays. Collective. */
int box_increments_values(const struct box_increments *t);
kol_status box_increments_sample(struct box_increments *t, struct box_slabs *slabs, const struct grid *g,
                                 real *const vel[3], const double vorticity[3],
                                 const struct box_spectra *spectra, const double *spectrum,
                                 double *const work[BOX_INCREMENTS_WORK], double *value);
/* box_increments_page: pdf.nc of an average, and of its latest sample; the caller destroys it.
 * box_increments_print: names, units, words as a table. */
kol_status box_increments_page(const struct box_increments *t, const struct batch_means *average,
                               const double *latest, struct netcdf_page **out);
void box_increments_print(FILE *out);

#endif
