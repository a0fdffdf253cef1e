/* Plane averages of one sample over all ranks (kernels/average.h): the same bits on any layout. */
#ifndef KOL_PLANES_H
#define KOL_PLANES_H

#include "../kernels/average.h"
#include "decomp.h"
#include "grid.h"

struct planes;
/* planes_create: walls normal to direction `normal`. c, d and the arrays in bl are borrowed. planes_bytes_wanted: kernel memory that it will
 * take. planes_destroy takes NULL. */
kol_status planes_create(const struct comm *c, const struct decomp *d, struct box b, struct blocks bl,
                         int normal, struct planes **out);
double planes_bytes_wanted(const struct decomp *d, struct box b, struct blocks bl, int normal);
void planes_destroy(struct planes **p);
/* planes_sample: means over the planes, mean[q levels + k] for sum q of kernels/average.h at level k of the whole grid, levels = cells
 * + 1: on rank 0, where mean is not NULL. Collective: one message, none on one rank. Arrays as average_planes asks. */
kol_status planes_sample(struct planes *p, const struct grid *g, real *const vel[3], const real *pressure,
                         double *mean);
/* planes_stresses: the same of the sums of average_stresses. */
kol_status planes_stresses(struct planes *p, const struct grid *g, real *const vel[3], const real *pressure,
                           real *const convection[3], real *const momentum[3], double *mean);

/* planes_quadrants: the same of the sums of average_quadrants, of fluctuations about the means of the sample: those of planes_sample, of this time; on rank 0. Collective: two
 * messages. */
kol_status planes_quadrants(struct planes *p, const struct grid *g, real *const vel[3], int component,
                            const double hole[QUADRANT_HOLES], const double *sample, double *mean);

#endif
