/* Averages of one sample over planes parallel to the walls (kernels/plane_average.h), computed over all
 * ranks. The bits are the same on any layout of ranks. */
#ifndef KOL_STATISTICS_WALL_PLANES_H
#define KOL_STATISTICS_WALL_PLANES_H

#include "kernels/plane_scalar.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"
#include "state/grid.h"

struct wall_planes;
/* wall_planes_create: prepares averages over planes normal to direction `normal`. c, d and the arrays in bl
 * are borrowed. */
kol_status wall_planes_create(struct memory *memory, const struct comm *c, const struct decomp *d,
                              struct box b, struct blocks bl, int normal, struct wall_planes **out);
/* wall_planes_destroy: frees the object; NULL is allowed. */
void wall_planes_destroy(struct wall_planes **p);
/* wall_planes_sample: computes the plane averages. The average of sum q of plane_average_planes() at level k
 * of the grid is
 *
 *     mean[q levels + k],    levels = cells + 1
 *
 * Rank 0 gets them in mean; mean is NULL on the others. The velocity and the pressure are as
 * plane_average_planes() needs them. Collective: one message, but none on one rank. */
kol_status wall_planes_sample(struct wall_planes *p, const struct grid *g, real *const vel[3],
                              const real *pressure, double *mean);
/* wall_planes_stresses: computes the averages of the sums of plane_average_stresses() in the same way. */
kol_status wall_planes_stresses(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                const real *pressure, real *const convection[3], real *const momentum[3],
                                double *mean);
/* wall_planes_scalar: does the same for the sums THETA_ of plane_scalar_means(). wall_planes_scalar_fluxes:
 * does the same for the sums FLUXES_ of plane_scalar_fluxes(). */
kol_status wall_planes_scalar(struct wall_planes *p, const struct grid *g, real *const vel[3],
                              const struct plane_scalar *s, double *mean);
kol_status wall_planes_scalar_fluxes(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                     const real *pressure, const struct plane_scalar *s, double *mean);

/* wall_planes_quadrants: computes the averages of the sums of plane_average_quadrants() in the same way.
 * Fluctuations are differences from the plane averages of the same flow. wall_planes_sample() has computed
 * these on rank 0: they are `sample`, which is NULL on the other ranks. Collective: two messages. */
kol_status wall_planes_quadrants(struct wall_planes *p, const struct grid *g, real *const vel[3],
                                 int component, const double hole[QUADRANT_HOLES], const double *sample,
                                 double *mean);

#endif
