/* Measures how much of an error is left after one application of a preconditioner. */
#ifndef KOL_POISSON_PRECONDITIONER_CONTRACTION_H
#define KOL_POISSON_PRECONDITIONER_CONTRACTION_H

#include "poisson.h"

/* preconditioner_contraction_random: sets r to a random residual without preferred direction, at the own
 * cells. In each cell it is the cell's volume over the mean cell volume, times a number in [-1, 1] that
 * depends only on the cell. Its sum is not zero. */
kol_status preconditioner_contraction_random(const struct domain *domain, real *r);
/* preconditioner_contraction_settle_guess: sets the guess to 'previous' if an extrapolated guess would be
 * unstable. If the work of a stage is fixed (pressure.iterations), an extrapolated guess amplifies what the
 * last solve left. It is stable only if the contraction is strong (docs/numerics/pressure.md).
 *
 *   text   out: what was done, for the log; "" if nothing was done
 *
 * It uses three arrays of the pool and those that the preconditioner works in. KOL_ERR_NUMERICAL if the
 * preconditioner gives values that are not finite. Collective. */
kol_status preconditioner_contraction_settle_guess(struct poisson *poisson, char *text, size_t size);

#endif
