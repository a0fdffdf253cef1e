/* What the grid resolves, as far as it can be told in advance, for --check and the log.
 * docs/numerics/walls.md, "Resolution". */
#ifndef KOL_CONTROL_RESOLUTION_H
#define KOL_CONTROL_RESOLUTION_H

#include "state/domain.h"

/* resolution_text: lines, each ended by a newline, malloced: growth of the spacings, and of straight flows
 * along walls (wall_page_friction.h) the expected friction and all spacings in wall units; of isotropic
 * turbulence the Kolmogorov scale. warnings: where that is too coarse for a direct simulation, or the box too
 * small; "" where it is not. */
kol_status resolution_text(const struct input *in, const struct grid *g, char **text, char **warnings);
/* resolution_log: the same in the log. */
kol_status resolution_log(const struct domain *domain);

#endif
