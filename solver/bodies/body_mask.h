/* Which faces of cells are open. */
#ifndef KOL_BODIES_BODY_MASK_H
#define KOL_BODIES_BODY_MASK_H

#include "body_faces.h"
#include "body_set.h"

/* body_mask_make: fills the mask `open` of body_geometry.h, and `near`: one byte for each cell of the box, in
 * which bit c is set if a surface may be closer to the lower face in direction c than the longest link of the
 * grid. closed: for each body, the number of own faces
 * whose centres belong to it is added. Returns KOL_ERR_MEMORY if there is no memory. */
kol_status body_mask_make(const struct body_set *s, const struct body_faces *f, struct box b,
                          unsigned char *open, unsigned char *near, long long *closed);

#endif
