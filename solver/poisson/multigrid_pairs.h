/* How the cells of a multigrid level become those of the next one, in one direction.
 * docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_PAIRS_H
#define KOL_POISSON_MULTIGRID_PAIRS_H

#include "kernels/base/status.h"
#include "multigrid_line.h"

/* pairs: the coarse cells of one direction, for the complete grid, in host memory. A coarse cell has one fine
 * cell or two neighbours.
 *
 *   n           number of coarse cells
 *   first       first[I]: the first fine cell of coarse cell I, I = 0 .. n; first[n] is the number of fine
 *               cells
 *   parent      parent[i]: the coarse cell that contains fine cell i
 *   coarsened   whether any coarse cell has two fine cells
 *   regular     whether the coarse cells are the fine cells, or else all pairs 2I and 2I + 1, with a single
 *               cell at the end if their number is odd */
struct pairs {
    int n, coarsened, regular;
    int *first, *parent;
};

/* multigrid_pairs_halve: pairs all cells 2I and 2I + 1 if `halved` is set; otherwise no cell is paired.
 * Returns KOL_ERR_MEMORY if there is no memory; the caller has to destroy *out also in that case. */
kol_status multigrid_pairs_halve(const struct line *l, int halved, struct pairs *out);
/* multigrid_pairs_couple: pairs neighbours whose coupling is at least `least`. In a row of such neighbours
 * that has an odd number of cells, the one at the end with the weaker coupling stays single. KOL_ERR_MEMORY
 * as above. */
kol_status multigrid_pairs_couple(const struct line *l, double least, struct pairs *out);
void multigrid_pairs_destroy(struct pairs *p);

/* multigrid_pairs_coupling: returns the coupling of cells i - 1 and i, for any i: the rate at which diffusion
 * between these two alone would reduce their difference. It is 0 where no flux passes. */
double multigrid_pairs_coupling(const struct line *l, int i);
/* multigrid_pairs_begin: returns whether fine cells i and i + 1 are a pair. */
int multigrid_pairs_begin(const struct pairs *p, int i);
/* multigrid_pairs_from: returns the first coarse cell whose first fine cell is i or a later one. */
int multigrid_pairs_from(const struct pairs *p, int i);

#endif
