/* Boundary conditions of the velocity. After a halo exchange, the layer beyond a face of the grid gets the
 * values that the wall there prescribes. docs/numerics/walls.md. */
#ifndef KOL_BOUNDARY_BOUNDARY_H
#define KOL_BOUNDARY_BOUNDARY_H

#include "parallel/halo_overlap.h"
#include "state/flow_fields.h"

/* boundary_walls: returns the walls and open faces that this rank's box touches. The grid says how the value
 * beyond each of them follows from the value inside (part_beyond). */
struct walls boundary_walls(const struct input *in, const struct decomp *d, const struct grid *g);

/* boundary_speed: the largest velocity component of a wall with friction [U]. */
double boundary_speed(const struct input *in);

/* boundary_exchange: describe a halo exchange of n fields that also writes the layer beyond walls. The first
 * three fields must be the velocity. The layer is written near the inner cells while messages travel, and
 * everywhere once they have come. The points of a velocity component that lie on a lower wall, which are
 * points of this rank, get their values, too. The result borrows domain and fields. */
struct exchange boundary_exchange(const struct domain *domain, real *const *fields, int n,
                                  enum halo_shape shape);

/* boundary_exchange_flow: the same for all fields that a stage reads with their halos
 * (state/flow_fields.h). Their addresses are written to `array`, which the result borrows. */
struct exchange boundary_exchange_flow(const struct flow *flow, real *array[HALO_FIELDS]);

/* boundary_fill: do such an exchange at once, without a sweep that overlaps it. Collective. */
kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape);

#endif
