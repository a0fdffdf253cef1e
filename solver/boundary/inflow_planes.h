/* An inflow from planes of a file, linear in time. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_PLANES_H
#define KOL_BOUNDARY_INFLOW_PLANES_H

#include "inflow.h"

/* inflow_planes: the two planes of the file that surround the present time, for this rank's part of a face,
 * in kernel memory. */
struct inflow_planes;

/* inflow_planes_create: allocates the memory for the planes of a file. inflow and d are borrowed. If memory
 * is only counted, inflow may be NULL. Local. */
kol_status inflow_planes_create(struct memory *memory, const struct inflow *inflow, const struct decomp *d,
                                struct box b, int face, struct inflow_planes **out);

/* inflow_planes_destroy: frees them and sets the pointer to NULL. *p may be NULL. */
void inflow_planes_destroy(struct inflow_planes **p);

/* inflow_planes_fill: writes the velocity at time t to `plane`, in kernel memory. The file must have planes
 * for t (inflow_ready()). If a further plane is needed it is read, and the operating system is told which one
 * comes next. Local. */
kol_status inflow_planes_fill(struct inflow_planes *p, double t, real *plane);

#endif
