/* The coarsest grid of the multigrid preconditioner, which is solved exactly. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_COARSEST_H
#define KOL_POISSON_MULTIGRID_COARSEST_H

#include "kernels/level.h"
#include "multigrid_line.h"
#include "parallel/memory.h"

/* multigrid_coarsest_create: computes the inverse of the level's operator, without the constants, in double
 * precision. It is stored as level_dense reads it, in kernel memory, which the caller frees. */
kol_status multigrid_coarsest_create(struct memory *memory, const struct line line[3], level_real **inverse);
/* multigrid_coarsest_close: the same with bodies, into the same array. words: the weights of the faces, of
 * box b, in kernel memory (level_word). The constants of each connected region are left out; dead cells get
 * 0. */
kol_status multigrid_coarsest_close(const struct line line[3], struct box b, const level_word *words,
                                    level_real *inverse);

#endif
