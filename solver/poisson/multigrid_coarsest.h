/* The coarsest grid of the multigrid preconditioner, which is solved exactly. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_COARSEST_H
#define KOL_POISSON_MULTIGRID_COARSEST_H

#include "kernels/level.h"
#include "multigrid_line.h"
#include "parallel/memory.h"

/* multigrid_coarsest_create: computes the inverse of the level's operator, without the constants, in double
 * precision. It is stored as level_dense reads it, in kernel memory, which the caller frees. */
kol_status multigrid_coarsest_create(struct memory *memory, const struct line line[3], level_real **inverse);

#endif
