/* What open_faces.c and open_faces_state.c share. */
#ifndef KOL_BOUNDARY_OPEN_FACES_INTERNAL_H
#define KOL_BOUNDARY_OPEN_FACES_INTERNAL_H

#include "open_faces.h"
#include "state/flow.h"

/* open_plane_size: returns the number of values of this rank's plane of a face, of all three components
 * together. */
size_t open_plane_size(const struct domain *domain, int face);

/* open_fill_inflows: fills the planes of inflows at time t. If `all` is 0, only those that change in time are
 * filled. KOL_ERR_INPUT, on all ranks, if a file has no planes for t. Collective. */
kol_status open_fill_inflows(struct flow *flow, double t, int all);

/* open_fill_outflows: fills the planes of outflows from flow->vel, with zero gradient across the face. Faces
 * whose bit in `but` is set are left out. Collective. */
kol_status open_fill_outflows(struct flow *flow, unsigned but);

/* open_balance: shifts the velocity through all outflows by one constant, so that what flows into the box
 * flows out of it, to rounding. KOL_ERR_INPUT if planes of inflows take more than they bring. Collective. */
kol_status open_balance(struct flow *flow);

#endif
