/* Boundary conditions of the velocity. After a halo exchange, the layer beyond a face of the grid gets the
 * values that the wall there prescribes. docs/numerics/walls.md. */
#ifndef KOL_BOUNDARY_BOUNDARY_H
#define KOL_BOUNDARY_BOUNDARY_H

#include "parallel/halo_overlap.h"
#include "state/flow_fields.h"

/* boundary_walls: returns the walls and open faces that this rank's box touches. The grid says how the value
 * beyond each of them follows from the value inside (part_beyond). */
struct walls boundary_walls(const struct input *in, const struct decomp *d, const struct grid *g);

/* boundary_speed: returns the largest velocity component of a wall with friction [U]. boundary_speed_along:
 * the largest size of one component. */
double boundary_speed(const struct domain *domain);
double boundary_speed_along(const struct domain *domain, int c);

/* boundary_exchange: describes a halo exchange of n fields that also writes the layer beyond walls. The
 * first three fields must be the velocity. While messages travel, only the part of the layer that inner
 * cells read is written. The whole layer is written once the messages have arrived. If points of a velocity
 * component lie on a lower wall, they belong to this rank, and get their values, too. The result borrows
 * domain and fields. */
struct exchange boundary_exchange(const struct domain *domain, real *const *fields, int n,
                                  enum halo_shape shape);

/* boundary_exchange_flow: returns such an exchange for all fields that a stage reads with their halos
 * (state/flow_fields.h), scalars with their conditions. Their addresses are written to `array`, which the
 * result borrows. */
struct exchange boundary_exchange_flow(const struct flow *flow, real *array[HALO_FIELDS]);

/* boundary_fill: does the exchange of boundary_exchange() at once, without a sweep that overlaps it.
 * Collective. */
kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape);

#endif
