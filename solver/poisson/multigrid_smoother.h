/* The smoothers of the multigrid preconditioner: polynomials in A/D as a row of Jacobi steps.
 * docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_SMOOTHER_H
#define KOL_POISSON_MULTIGRID_SMOOTHER_H

#include "multigrid_levels.h"

/* smoother: `steps` steps z += step[k] (r - A z)/D, k = 0 .. steps-1. What they leave of an error is a
 * polynomial in A/D, the product of all 1 - step[k] lambda: the Chebyshev polynomial of [low, high], 1 at
 * lambda = 0. c0, c1: from z = 0 the first two steps at once, c0 y + c1 (1 - A/D) y with y = r/D; with one
 * step c1 = 0. */
enum { MULTIGRID_SMOOTHER_STEPS = 8 };
struct multigrid_smoother {
    int steps;
    double low, high, c0, c1;
    double step[MULTIGRID_SMOOTHER_STEPS];
};

/* multigrid_smoother_make: 1 <= steps <= MULTIGRID_SMOOTHER_STEPS, 0 < low < high. */
struct multigrid_smoother multigrid_smoother_make(int steps, double low, double high);
/* multigrid_smoother_left: what the steps leave of an error of the eigenvalue lambda. */
double multigrid_smoother_left(const struct multigrid_smoother *s, double lambda);
/* multigrid_smoother_choose: for a level and what the next one halves. steps = 0: as many as the level's
 * lowest eigenvalue asks for, 2 to 6. linear: transfers. The same on all ranks. KOL_ERR_MEMORY. */
kol_status multigrid_smoother_choose(const struct line line[3], const int halved[3], int steps, int linear,
                                     struct multigrid_smoother *out);

#endif
