/* An inflow from planes of a file, linear in time. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_PLANES_H
#define KOL_BOUNDARY_INFLOW_PLANES_H

#include "inflow.h"
#include "state/domain.h"

/* inflow_planes: the two planes of the file that surround the present time, for this rank's part of a face,
 * in kernel memory. */
struct inflow_planes;

/* inflow_planes_create: allocates the memory for the planes of a file. inflow and domain are borrowed. If
 * memory is only counted, inflow may be NULL. Local. */
kol_status inflow_planes_create(const struct domain *domain, const struct inflow *inflow, int face,
                                struct inflow_planes **out);

/* inflow_planes_destroy: frees them and sets the pointer to NULL. *p may be NULL. */
void inflow_planes_destroy(struct inflow_planes **p);

/* inflow_planes_fill: writes the velocity at time t to `plane`, in kernel memory, and what each scalar of the
 * planes adds beyond the face to its scalar_plane (struct scalar_faces). The file must have planes for t
 * (inflow_ready()). If a further plane is needed it is read, and the operating system is told which one comes
 * next. Local. */
kol_status inflow_planes_fill(struct inflow_planes *p, double t, real *plane, real *const *scalar_plane);

/* inflow_planes_ranges: puts the least and the largest values of scalars in the planes of all inflows into
 * `ranges`. inflow may be NULL. Local. */
void inflow_planes_ranges(const struct inflow *inflow, struct scalar_ranges *ranges);

#endif
