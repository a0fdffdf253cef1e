/* An inflow from planes of a file, linear in time. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_PLANES_H
#define KOL_BOUNDARY_INFLOW_PLANES_H

#include "inflow.h"

/* inflow_planes: two planes round the time, of this rank's part of a face, in kernel memory.
 * inflow: NULL where memory is only counted. inflow_planes_fill: the face's plane at time t, which
 * inflow_planefile_at knows; where a plane becomes due it is read, and the system is told of the next one.
 * Local. inflow_planes_destroy takes NULL. */
struct inflow_planes;
kol_status inflow_planes_create(struct memory *memory, const struct inflow *inflow, const struct decomp *d,
                                struct box b, int face, struct inflow_planes **out);
void inflow_planes_destroy(struct inflow_planes **p);
kol_status inflow_planes_fill(struct inflow_planes *p, double t, real *plane);

#endif
