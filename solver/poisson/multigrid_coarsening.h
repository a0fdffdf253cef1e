/* Which cells of a multigrid level become one on the next level: by directions or by couplings.
 * docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_COARSENING_H
#define KOL_POISSON_MULTIGRID_COARSENING_H

#include "multigrid_pairs.h"

/* MULTIGRID_COARSENING_DENSE: the last level has so many cells or fewer.
 * MULTIGRID_COARSENING_LEVELS: the largest number of levels. */
enum { MULTIGRID_COARSENING_DENSE = 512, MULTIGRID_COARSENING_LEVELS = 40 };

/* multigrid_coarsening_by_coupling: chooses how a grid is coarsened. *out is 1 if cells are paired where
 * their coupling is strong, and 0 if complete directions are halved. It is 1 in three cases: the widths of
 * a direction differ very much; or those of two directions differ much; or two or more directions are
 * stretched, and on the levels of halved directions even a smoother with the most steps would not be enough.
 *
 *   line     the three directions of the first level
 *   linear   whether corrections are interpolated linearly
 *
 * Only the host computes, with the same result on all ranks. KOL_ERR_MEMORY if there is no memory. */
kol_status multigrid_coarsening_by_coupling(const struct line line[3], int linear, int *out);
/* multigrid_coarsening_pairs: pairs the cells of a level that has more than one cell. n: number of the
 * level, 0 for the first. Returns KOL_ERR_MEMORY if there is no memory; the caller has to destroy `out`
 * also in that case. */
kol_status multigrid_coarsening_pairs(const struct line line[3], int by_coupling, int n, struct pairs out[3]);
/* multigrid_coarsening_cells: returns the number of cells of a level. */
double multigrid_coarsening_cells(const struct line line[3]);

/* multigrid_coarsening_line: makes one direction of the next level from that of a level and its pairs. The
 * caller frees its widths with free(). */
kol_status multigrid_coarsening_line(const struct line *fine, const struct pairs *p, struct line *out);

#endif
