/* How much one application of a preconditioner leaves of an error. */
#ifndef KOL_POISSON_PRECONDITIONER_CONTRACTION_H
#define KOL_POISSON_PRECONDITIONER_CONTRACTION_H

#include "poisson.h"

/* preconditioner_contraction_random: a residual without preferred direction at the own cells: the cell's part
 * of the mean volume times a number in
 * [-1, 1] that depends on the cell alone. Its sum is not zero. */
kol_status preconditioner_contraction_random(const struct domain *domain, real *r);
/* preconditioner_contraction_measure: with z = M r alone, no conjugate gradients, on a random residual: what
 * the third cycle leaves of max|r|/V; of an earlier one where no more than rounding is left after it. Takes
 * three arrays of the pool and the preconditioner's scratch. Collective, the same on all ranks.
 * KOL_ERR_NUMERICAL where M gives values that are not finite. */
kol_status preconditioner_contraction_measure(struct poisson *poisson, double *rho);
/* preconditioner_contraction_settle_guess: with the work of a stage fixed (pressure.iterations) an
 * extrapolated guess feeds on what the last solve left and is stable only where the contraction is strong
 * (docs/numerics/pressure.md): otherwise the guess becomes 'previous'. text: what was done, for the log; ""
 * for nothing. */
kol_status preconditioner_contraction_settle_guess(struct poisson *poisson, char *text, size_t size);

#endif
