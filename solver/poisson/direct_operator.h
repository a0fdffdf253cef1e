/* The pressure's operator, separated into its three directions: which of them are transformed, in which
 * basis, and which one is left for tridiagonal systems. All values are double, in host memory.
 * docs/numerics/direct.md. */
#ifndef KOL_POISSON_DIRECT_OPERATOR_H
#define KOL_POISSON_DIRECT_OPERATOR_H

#include "kernels/fft.h"
#include "parallel/comm.h"
#include "state/grid.h"

/* direct_operator: the separated operator.
 *
 *   axis      axis[0] is transformed first, then axis[1]. axis[2] is not transformed (it is left), unless
 *             all_transformed is set.
 *   basis     the basis of each direction
 *   lambda    lambda[dir][k] is the generalised eigenvalue of coefficient k [1/L^2]; the first one is 0.
 *             NULL for the direction that is left.
 *   vectors   the eigenvectors of a dense basis, orthonormal with the cell widths as weights; NULL for
 *             other bases
 *   factor    the values are multiplied by it, because the transforms are not normalised and because of the
 *             widths of uniform directions
 *   w, g      cell widths (n) and inverse distances of centres (n + 1, 0 at walls) of the direction that is
 *             left */
struct direct_operator {
    int n[3], axis[3];
    int all_transformed;
    enum fft_basis basis[3];
    double *lambda[3], *vectors[3];
    double factor;
    double *w, *g;
    int cyclic; /* the direction that is left is periodic */
};

/* direct_operator_plan: chooses how each direction is treated, but computes nothing: it sets n, axis,
 * all_transformed, basis and cyclic. If keep is not 0, axis[2] is left even if it could be transformed.
 * KOL_ERR_INPUT if a direction has too many cells for a dense basis. */
kol_status direct_operator_plan(const struct grid *g, int keep, struct direct_operator *s);
/* direct_operator_create: does the same and sets all other members. One rank computes the eigenvectors and
 * sends them to all. Collective. */
kol_status direct_operator_create(const struct comm *c, const struct grid *g, int keep,
                                  struct direct_operator *s);
/* direct_operator_destroy: frees the arrays. It accepts a zeroed struct. */
void direct_operator_destroy(struct direct_operator *s);
/* direct_operator_wave: returns the eigenvalue of wave number k, 0 .. n-1, of a uniform periodic direction
 * [1/L^2]. */
double direct_operator_wave(const struct grid *g, int dir, int k);

#endif
