/* Moves bodies through the grid. It updates what depends on their places in kernel memory: the mask, the
 * lists beside surfaces, the pressure of cells that become fluid, and the momentum of faces that open and
 * close. docs/numerics/bodies.md, "Bodies that travel". */
#ifndef KOL_BODIES_BODIES_TRAVEL_H
#define KOL_BODIES_BODIES_TRAVEL_H

#include "bodies.h"

/* bodies_travelling: returns whether a body of this run travels. */
int bodies_travelling(const struct flow *flow);
/* bodies_speed: returns the largest speed along d of bodies that travel, at any time [U]. */
double bodies_speed(const struct flow *flow, int d);
/* bodies_travel_courant: returns the inverse of the longest step in which no body crosses more than half a
 * cell [1/T]; 0 if none travels. */
double bodies_travel_courant(const struct flow *flow);
/* bodies_fastest, bodies_courant_of: return the results of bodies_speed() and bodies_travel_courant() for a
 * geometry. bodies_check_step: refuses a fixed time.dt in which a body crosses more than half a cell. */
double bodies_fastest(const struct body_geometry *g, int d);
double bodies_courant_of(const struct domain *domain, const struct body_geometry *g);
kol_status bodies_check_step(const struct domain *domain, const struct body_geometry *g, double dt);

/* bodies_place: moves the bodies to where they are at the time of the flow. Velocity and pressure do not
 * change. Collective. */
kol_status bodies_place(struct flow *flow);
/* bodies_travel: moves the bodies to where they are at the end of stage m. It is called before the prediction
 * of the stage. KOL_ERR_INPUT if the step is too long; KOL_ERR_NUMERICAL if bodies meet another body or a
 * wall. Collective.
 *
 *   base   velocity that the stage starts from
 *   old    right-hand sides of the stage before, which this stage reads; NULL: there are none */
kol_status bodies_travel(struct flow *flow, int m, real *const base[3], real *const *old);

#endif
