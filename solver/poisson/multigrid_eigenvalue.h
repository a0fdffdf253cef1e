/* The lowest eigenvalue that the smoother of a level has to reduce: that of the errors which the next grid
 * can't represent. docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_EIGENVALUE_H
#define KOL_POISSON_MULTIGRID_EIGENVALUE_H

#include "multigrid_pairs.h"

/* multigrid_eigenvalue_lowest: computes the least value of (f A f) / (f D f) over the following functions
 * f. In one of the halved directions f varies only within the pairs of cells that become one, and its
 * volume-weighted mean over each pair is 0. In the two other directions f is free. The result is accurate
 * to a few parts in a thousand, and lies between 0 and 2.
 *
 *   line     the level's three directions
 *   pairs    which of their cells become one on the next level
 *   least    a positive number; if the result would be lower, this number is returned instead
 *
 * Only the host computes, with the same result on all ranks. KOL_ERR_MEMORY if there is no memory. */
kol_status multigrid_eigenvalue_lowest(const struct line line[3], const struct pairs pairs[3], double least,
                                       double *out);

#endif
