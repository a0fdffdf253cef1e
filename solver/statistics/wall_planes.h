/* Plane averages of one sample over all ranks (kernels/plane_average.h): the same bits on any layout. */
#ifndef KOL_STATISTICS_WALL_PLANES_H
#define KOL_STATISTICS_WALL_PLANES_H

#include "kernels/plane_average.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

struct wall_planes;
/* wall_planes_create: walls normal to direction `normal`. c, d and the arrays in bl are borrowed.
 * wall_planes_destroy takes NULL. */
kol_status wall_planes_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                              struct box b, struct blocks bl, int normal, struct wall_planes **out);
void wall_planes_destroy(struct wall_planes **p);
/* wall_planes_sample: means over the planes, mean[q levels + k] for sum q of kernels/plane_average.h at level
 * k of the whole grid, levels = cells
 * + 1: on rank 0, where mean is not NULL. Collective: one message, none on one rank. Arrays as
 * plane_average_planes asks. */
kol_status wall_planes_sample(struct wall_planes *p, const struct grid *g, real *const vel[3],
                              const real *pressure, double *mean);
/* wall_planes_stresses: the same of the sums of plane_average_stresses. */
kol_status wall_planes_stresses(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                const real *pressure, real *const convection[3], real *const momentum[3],
                                double *mean);

/* wall_planes_quadrants: the same of the sums of plane_average_quadrants, of fluctuations about the means of
 * the sample: those of wall_planes_sample, of this time; on rank 0. Collective: two messages. */
kol_status wall_planes_quadrants(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                 int component, const double hole[QUADRANT_HOLES], const double *sample,
                                 double *mean);

#endif
