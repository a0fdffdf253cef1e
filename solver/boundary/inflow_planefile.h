/* The file of planes that an inflow takes its velocities from. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_PLANEFILE_H
#define KOL_BOUNDARY_INFLOW_PLANEFILE_H

#include "inputs/input.h"
#include "parallel/comm.h"
#include "state/grid.h"

struct planefile; /* io/planefile.h */

/* inflow_planefile_open: the file of a face. KOL_ERR_INPUT where its faces are not those of the grid, or its
 * times do not last to the end of the run, which has to be known, unless boundary.planes_loop. Collective.
 * inflow_planefile_at: the place of time t between planes: *first and the one after, and the part of the
 * latter; 0 where no planes are for t. */
kol_status inflow_planefile_open(const struct comm *c, const struct input *in, const struct grid *g, int face,
                                 struct planefile **out);
int inflow_planefile_at(const struct input *in, const struct planefile *f, double t, int *first,
                        double *part);

#endif
