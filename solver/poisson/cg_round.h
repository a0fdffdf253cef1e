/* Rounds of conjugate gradients. Between two rounds the residual is computed anew from the solution. */
#ifndef KOL_POISSON_CG_ROUND_H
#define KOL_POISSON_CG_ROUND_H

#include "kernels/laplace.h"
#include "state/grid.h"

/* cg_rounding: returns the part of a right-hand side that rounding of A x may reach: epsilon times the ratio
 * of the highest to the lowest eigenvalue, which follows from the longest side and the smallest width.
 * cg_single: returns whether rounds may be in single precision: whether this part, which is `rounding` in the
 * precision of the fields, is below `most` there. cg_single_part: returns to what part of the first residual
 * such a round goes; below it, rounding of x would leave more than the recurrence tells. It is no less than
 * CG_SINGLE_PART, to which the solve for an increment goes. cg_single_enough: returns whether one solve in
 * single precision usually meets the tolerance of the pressure. If not, 'auto' takes double precision, since
 * solves would be repeated. */
static const double CG_SINGLE_PART = 1e-5;
double cg_rounding(const struct grid *g);
int cg_single(double rounding, double most);
double cg_single_part(double rounding);
int cg_single_enough(const struct input *in);

/* cg_round: returns the scalars that a round begins with.
 *
 *   tolerance    the round goes on until the residual by recurrence is a little below it
 *   asked        the least number of iterations, counted from the start of the solve
 *   limit        the largest number of iterations, counted likewise
 *   iterations   number of iterations that are done already
 *
 * The round ends early if rounding dominates the residual. */
struct cg_state cg_round(double tolerance, int asked, int limit, int iterations);
/* cg_gained: returns whether a round at least halved the residual. If not, rounding has been reached. */
int cg_gained(double now, double before);
/* cg_at_rounding: returns whether the residual is so small beside the first one that rounding explains it. */
int cg_at_rounding(double now, double first);

#endif
