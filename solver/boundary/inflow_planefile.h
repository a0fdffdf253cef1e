/* The file of planes that an inflow takes its velocities from. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_PLANEFILE_H
#define KOL_BOUNDARY_INFLOW_PLANEFILE_H

#include "inputs/input.h"
#include "parallel/comm.h"
#include "state/grid.h"

struct planefile; /* io/planefile.h */

/* inflow_planefile_open: opens the file of a face, boundary.file. The caller closes it by planefile_close().
 * KOL_ERR_INPUT if the cell faces in the file are not those of the grid. KOL_ERR_INPUT, too, if
 * boundary.planes_loop is .false. and either run.t_end is not given or the planes end before it.
 * Collective. */
kol_status inflow_planefile_open(const struct comm *c, const struct input *in, const struct grid *g, int face,
                                 struct planefile **out);

/* inflow_planefile_scalars: lists the scalars that a face takes from its planes, in the order that they have
 * in struct planefile, and returns their number. */
int inflow_planefile_scalars(const struct input *in, int face, int scalar[SCALARS_MOST]);

/* inflow_planefile_at: finds the two planes between whose times t lies. They are plane *first and the plane
 * after it. The velocity at t is 1 - *part of the first one plus *part of the second one. Returns 0 if the
 * file has no planes for t, else 1. */
int inflow_planefile_at(const struct input *in, const struct planefile *f, double t, int *first,
                        double *part);

#endif
