/* The lowest eigenvalue that is left to the smoother of a level: of the errors that the next grid can't show.
 * docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_EIGENVALUE_H
#define KOL_POISSON_MULTIGRID_EIGENVALUE_H

#include "multigrid_levels.h"

/* multigrid_eigenvalue_lowest: least quotient of f A f and f D f over the f that vary in one of the halved
 * directions only within the pairs of cells that become one, their volume-weighted mean 0, and in the two
 * others as they like; to a few parts in a thousand, from above 0 to 2. line     the level's three directions
 *   halved   which of them the next level halves
 *   least    what is lower is not told apart: then this, > 0
 * Host arithmetic alone, the same on all ranks. KOL_ERR_MEMORY. */
kol_status multigrid_eigenvalue_lowest(const struct line line[3], const int halved[3], double least,
                                       double *out);

#endif
