/* The force of a stream on each no-slip wall, divided by area and density, for series.nc. */
#ifndef KOL_OUTPUT_WALL_FORCE_H
#define KOL_OUTPUT_WALL_FORCE_H

#include "state/domain.h"

struct wall_force;
/* wall_force_create: prepares the force on the no-slip walls that are parallel to the stream. The flow must
 * be periodic along the stream. *out stays NULL if there are no such walls. The domain is borrowed. */
kol_status wall_force_create(const struct domain *domain, struct wall_force **out);
/* wall_force_destroy: takes NULL. */
void wall_force_destroy(struct wall_force **f);
/* wall_force_measure: computes the force on each of these walls, which is nu times the wall-normal gradient
 * of the streamwise velocity, averaged over the wall [U^2]. The gradient is taken in the direction away
 * from the wall. It is 0 on the other faces, and on all if f is NULL. Rank 0 gets the result. vel needs the
 * layer beyond the walls. The bits are the same on any number of ranks. Collective: one message, none on
 * one rank. */
kol_status wall_force_measure(struct wall_force *f, const struct grid *g, real *const vel[3],
                              double stress[FACES]);

#endif
