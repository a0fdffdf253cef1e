/* The coarsest grid of the multigrid preconditioner, which is solved exactly. docs/numerics/multigrid.md. */
#ifndef KOL_COARSEST_H
#define KOL_COARSEST_H

#include "levels.h"

/* coarsest_create: the inverse of the level's operator, the constants apart, as level_dense takes it: in kernel memory, which the caller
 * frees. Formed in double precision. */
kol_status coarsest_create(const struct level *l, level_real **inverse);

#endif
