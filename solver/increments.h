/* Structure functions and probability densities of a periodic box of uniform spacings. docs/statistics.md has the formulas. */
#ifndef KOL_SOLVER_INCREMENTS_H
#define KOL_SOLVER_INCREMENTS_H

#include <stdio.h>
#include "../kernels/increments.h"
#include "page.h"
#include "slabs.h"
#include "spectra.h"

enum { INCREMENTS_WORK = 2 }; /* arrays of slabs_values() doubles that a sample takes */

struct increments;
/* increments_create: slabs and c are borrowed. increments_destroy takes NULL. increments_bytes: kernel memory that it takes at most. */
kol_status increments_create(const struct comm *c, const struct grid *g, const struct slabs *slabs,
                             struct increments **out);
void increments_destroy(struct increments **t);
double increments_bytes(const struct grid *g);
/* increments_values: of a sample. increments_sample: of the velocity, with a halo layer and edges up to date: into value, on rank 0, where it is
 * not NULL. spectra, spectrum: of the same flow: spectrum is read on rank 0, for the root mean squares that bins are made of. vorticity: mean
 * squares of its components [1/T^2]. The same bits on any ranks in the CPU build. work: INCREMENTS_WORK arrays. Collective. */
int increments_values(const struct increments *t);
kol_status increments_sample(struct increments *t, struct slabs *slabs, const struct grid *g,
                             real *const vel[3], const double vorticity[3], const struct spectra *spectra,
                             const double *spectrum, double *const work[INCREMENTS_WORK], double *value);
/* increments_page: pdf.nc of an average, and of its latest sample; the caller destroys it. increments_print: names, units, words as a table. */
kol_status increments_page(const struct increments *t, const struct batches *average, const double *latest,
                           struct page **out);
void increments_print(FILE *out);

#endif
