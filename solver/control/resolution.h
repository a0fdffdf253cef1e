/* What the grid resolves, as far as it can be told in advance, for --check and the log.
 * docs/numerics/walls.md, "Resolution". */
#ifndef KOL_CONTROL_RESOLUTION_H
#define KOL_CONTROL_RESOLUTION_H

#include "state/domain.h"

/* resolution_text: describes the resolution in lines that end with a newline each.
 *
 *   *text       growth of the spacings; for flows along walls (wall_friction.h) the expected friction and all
 *               spacings in wall units; for isotropic turbulence the Kolmogorov scale
 *   *warnings   what is too coarse for a direct simulation, boxes that are too small, windows of inflows that
 *               do not fit the cells, and averages that start after the end of the run; "" if there is none
 *
 * The caller frees both. */
kol_status resolution_text(const struct input *in, const struct grid *g, char **text, char **warnings);

/* resolution_log: writes the same to the log, on rank 0. */
kol_status resolution_log(const struct domain *domain);

#endif
