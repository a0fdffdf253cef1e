/* Rounds of conjugate gradients: between two of them the residual is computed anew from the solution. */
#ifndef KOL_POISSON_CG_ROUND_H
#define KOL_POISSON_CG_ROUND_H

#include "kernels/laplace.h"

/* cg_round: the scalars that a round begins with. It goes to a little below the tolerance, takes `asked`
 * iterations at least and `limit` in all, of which `iterations` are done, and ends early where rounding
 * rules. */
struct cg_state cg_round(double tolerance, int asked, int limit, int iterations);
/* cg_gained: whether a round at least halved the residual; if not, rounding has been reached.
 * cg_at_rounding: whether the residual is so small beside the first that rounding explains it. */
int cg_gained(double now, double before);
int cg_at_rounding(double now, double first);

#endif
