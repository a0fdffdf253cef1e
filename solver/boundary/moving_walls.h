/* Walls that move along themselves by formulas: the velocity at each place of the wall. docs/own-flows.md. */
#ifndef KOL_BOUNDARY_MOVING_WALLS_H
#define KOL_BOUNDARY_MOVING_WALLS_H

#include "state/domain.h"

/* moving_walls_measure: sets domain->formula_speed. It needs the grid. KOL_ERR_INPUT, with the coordinates,
 * if a formula is not finite somewhere on its wall. Every rank looks at the whole wall, so all find the
 * same. Local. */
kol_status moving_walls_measure(struct domain *domain);

/* moving_walls_create: fills the planes of the walls by formulas that this rank's box touches, in kernel
 * memory, and puts them into domain->walls. moving_walls_destroy: frees them. Local. */
kol_status moving_walls_create(struct domain *domain);
void moving_walls_destroy(struct domain *domain);

/* moving_walls_velocity: returns component c of the velocity of a wall at the place x on it, whether it is
 * given by numbers or by formulas [U]. Where a formula is not finite, the result is neither. */
double moving_walls_velocity(const struct domain *domain, int face, int c, const double x[3]);

#endif
