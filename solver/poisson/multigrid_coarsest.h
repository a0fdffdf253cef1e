/* The coarsest grid of the multigrid preconditioner, which is solved exactly. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_COARSEST_H
#define KOL_POISSON_MULTIGRID_COARSEST_H

#include "kernels/level.h"
#include "multigrid_line.h"
#include "parallel/memory.h"

/* multigrid_coarsest_create: the inverse of the level's operator, the constants apart, as level_dense takes
 * it: in kernel memory, which the caller frees. Formed in double precision. */
kol_status multigrid_coarsest_create(struct memory *memory, const struct line line[3], level_real **inverse);

#endif
