/* The pressure's operator taken apart into directions: which of them are transformed, in which basis, and
 * which one is left for tridiagonal systems. docs/numerics/direct.md. Host memory, double. */
#ifndef KOL_POISSON_DIRECT_OPERATOR_H
#define KOL_POISSON_DIRECT_OPERATOR_H

#include "kernels/fft.h"
#include "parallel/comm.h"
#include "state/grid.h"

/* separable: axis[0] is transformed first, then axis[1]; axis[2] is left, or transformed as well
 * (all_transformed). By direction: basis; lambda[k], the generalised eigenvalue of coefficient k [1/L^2], 0
 * first, NULL where the direction is left; vectors: those of a dense basis, orthonormal with the cell widths
 * as weights; NULL otherwise. factor: what the values are multiplied by to make up for the unnormalised
 * transforms and the widths of uniform directions. w, g: of the direction that is left: n widths, n + 1
 * inverse distances, 0 at walls. */
struct direct_operator {
    int n[3], axis[3];
    int all_transformed;
    enum fft_basis basis[3];
    double *lambda[3], *vectors[3];
    double factor;
    double *w, *g;
    int cyclic; /* the direction that is left is periodic */
};

/* direct_operator_plan: the choice alone: n, axis, all_transformed, basis, cyclic. direct_operator_create:
 * all of it; eigenvectors are computed by one rank for all. keep: axis[2] is left even where it could be
 * transformed. KOL_ERR_INPUT where a direction has too many cells for a dense basis. Collective.
 * direct_operator_destroy takes a zeroed struct. */
kol_status direct_operator_plan(const struct grid *g, int keep, struct direct_operator *s);
kol_status direct_operator_create(const struct comm *c, const struct grid *g, int keep,
                                  struct direct_operator *s);
void direct_operator_destroy(struct direct_operator *s);
/* direct_operator_wave: the eigenvalue of wave number k, 0 .. n-1, of a uniform periodic direction [1/L^2].
 */
double direct_operator_wave(const struct grid *g, int dir, int k);

#endif
