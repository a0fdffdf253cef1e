/* Bodies that stay in their place while their surface turns, and what else stands there. */
#ifndef KOL_BODIES_BODY_TURNING_H
#define KOL_BODIES_BODY_TURNING_H

#include "body_geometry.h"

/* body_turning_refuse: returns KOL_ERR_INPUT on all ranks if no pressure could balance what the velocity of a
 * body that turns in its place brings: in closed cells, where another body or a boundary of the domain cuts
 * it; or into a region of the fluid that the body closes off together with what is next to it. A body may end
 * in a wall that its axis meets at right angles. Collective. */
kol_status body_turning_refuse(const struct domain *domain, const struct body_geometry *g);

#endif
