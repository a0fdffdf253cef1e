/* Boundary conditions of the velocity: what halo exchanges leave beyond faces of the grid is replaced by what
 * the walls say. docs/numerics/walls.md. */
#ifndef KOL_BOUNDARY_BOUNDARY_H
#define KOL_BOUNDARY_BOUNDARY_H

#include "parallel/exchange.h"
#include "state/field.h"

/* boundary_walls: the walls that this rank's box touches. */
struct walls boundary_walls(const struct input *in, const struct decomp *d);
/* boundary_speed: largest speed of a wall [U]. */
double boundary_speed(const struct input *in);

/* boundary_exchange: an exchange of n fields, of which the first three are the velocity, that writes the
 * layer beyond walls, too: near the inner cells while messages travel, everywhere once they have come. The
 * own points on low walls get their values. It borrows domain and fields. boundary_exchange_flow: of all
 * fields that a stage reads with their halos (state/field.h), which are put into `array`; that is borrowed.
 * boundary_fill: such an exchange that no sweep overlaps. */
struct exchange boundary_exchange(const struct domain *domain, real *const *fields, int n,
                                  enum halo_shape shape);
struct exchange boundary_exchange_flow(const struct flow *flow, real *array[HALO_FIELDS]);
kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape);

#endif
