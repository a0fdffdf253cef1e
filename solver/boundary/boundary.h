/* Boundary conditions of the velocity: what halo exchanges leave beyond faces of the grid is replaced by what
 * the walls say. docs/numerics/walls.md. */
#ifndef KOL_BOUNDARY_BOUNDARY_H
#define KOL_BOUNDARY_BOUNDARY_H

#include "state/domain.h"

/* boundary_walls: the walls that this rank's box touches. */
struct walls boundary_walls(const struct input *in, const struct decomp *d);
/* boundary_speed: largest speed of a wall [U]. */
double boundary_speed(const struct input *in);

/* boundary_begin, boundary_arrive: halo_begin and halo_arrive of n fields of which the first three are the
 * velocity, and the layer beyond the walls: near the cells that need no halo from another rank after the
 * first, everywhere after the second, which halo_join follows, but where it fails. In between the own points
 * on low walls get their values. boundary_fill: halo_fill, and all of the layer. */
kol_status boundary_begin(const struct domain *domain, real *const *fields, int n, enum halo_shape shape);
kol_status boundary_arrive(const struct domain *domain, real *const vel[3]);
kol_status boundary_fill(const struct domain *domain, real *const *fields, int n, enum halo_shape shape);

#endif
