/* The smoothers of the multigrid preconditioner: polynomials in A/D, done as a sequence of Jacobi steps.
 * docs/numerics/multigrid.md. */
#ifndef KOL_POISSON_MULTIGRID_SMOOTHER_H
#define KOL_POISSON_MULTIGRID_SMOOTHER_H

#include "multigrid_pairs.h"

/* multigrid_smoother: `steps` Jacobi steps,
 *
 *     z += step[k] (r - A z)/D,   k = 0 .. steps-1
 *
 * They multiply an error by a polynomial in A/D, the product of all 1 - step[k] lambda. It is the Chebyshev
 * polynomial of [low, high], scaled to 1 at lambda = 0.
 *
 *   c0, c1   coefficients of the first two steps together, from z = 0: c0 y + c1 (1 - A/D) y with y = r/D;
 *            c1 = 0 with one step */
enum { MULTIGRID_SMOOTHER_STEPS = 8 };
struct multigrid_smoother {
    int steps;
    double low, high, c0, c1;
    double step[MULTIGRID_SMOOTHER_STEPS];
};

/* multigrid_smoother_make: returns the smoother. It needs 1 <= steps <= MULTIGRID_SMOOTHER_STEPS and 0 < low
 * < high. */
struct multigrid_smoother multigrid_smoother_make(int steps, double low, double high);
/* multigrid_smoother_left: returns the factor by which the steps multiply an error of eigenvalue lambda. */
double multigrid_smoother_left(const struct multigrid_smoother *s, double lambda);
/* multigrid_smoother_choose: chooses the smoother of a level.
 *
 *   line          the level's three directions
 *   pairs         which of their cells become one on the next level
 *   by_coupling   whether the pairs are those of multigrid_coarsening_by_coupling(). Then the smoother is
 *                 chosen so that it leaves less of an error.
 *   steps         number of steps; 0: 2 to 6, as the level's lowest eigenvalue requires
 *   linear        whether corrections are interpolated linearly
 *
 * The result is the same on all ranks. KOL_ERR_MEMORY if there is no memory. */
kol_status multigrid_smoother_choose(const struct line line[3], const struct pairs pairs[3], int by_coupling,
                                     int steps, int linear, struct multigrid_smoother *out);
/* multigrid_smoother_narrowed: computes the factor by which the interval of a level's smoother has to be
 * narrowed, because the complete interval would need more steps than a smoother may have. If the factor is
 * below 1, the interval stays. Factors above 16 are returned as 16. KOL_ERR_MEMORY as above. */
kol_status multigrid_smoother_narrowed(const struct line line[3], const struct pairs pairs[3], int linear,
                                       double *out);

#endif
