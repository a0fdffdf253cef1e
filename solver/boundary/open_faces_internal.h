/* What the parts of open_faces.h share. */
#ifndef KOL_BOUNDARY_OPEN_FACES_INTERNAL_H
#define KOL_BOUNDARY_OPEN_FACES_INTERNAL_H

#include "open_faces.h"
#include "state/flow.h"

int open_has_outflow(const struct open_faces *o);
/* open_plane_size: values of a plane of this rank, three components. */
size_t open_plane_size(const struct domain *domain, int face);
/* open_fill_inflows: planes of inflows at time t; all: also of those that do not change. open_fill_outflows:
 * planes of outflows, but those of the faces in `but`, from flow->vel, as if nothing changed across them.
 * open_balance: what flows in flows out, to rounding. Collective. */
kol_status open_fill_inflows(struct flow *flow, double t, int all);
kol_status open_fill_outflows(struct flow *flow, unsigned but);
kol_status open_balance(struct flow *flow);

#endif
