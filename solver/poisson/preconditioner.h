/* Preconditioners by name. The polynomials are in the Jacobi-scaled operator I - A/D. The spectrum of A/D
 * lies in [0, 2] on any grid (Gershgorin), so no eigenvalue is estimated. docs/numerics/pressure.md. */
#ifndef KOL_POISSON_PRECONDITIONER_H
#define KOL_POISSON_PRECONDITIONER_H

#include "kernels/laplace.h"
#include "multigrid.h"
#include "direct.h"

enum { POLYNOMIAL_DEGREE_MAX = 16 };

/* polynomial: a polynomial preconditioner. Degree 0 or 1 is one fused kernel (poly1); each further degree is
 * a Chebyshev step. */
struct polynomial {
    struct poly1 first;
    int steps; /* Chebyshev steps after the first degree */
    real y0;   /* the iterate of degree 0 is y0 r/D */
    real first_y0, first_momentum,
        first_step; /* degree 1 as a step from first_y0 r/D (polynomial_by_steps()) */
    real momentum[POLYNOMIAL_DEGREE_MAX], step[POLYNOMIAL_DEGREE_MAX];
};

/* polynomial_make: returns the polynomial of a preconditioner, one of enum precond_name, with the numbers of
 * the inputs pressure.degree, pressure.weight and pressure.ratio.
 *
 *   'jacobi'                         z = r/D
 *   'polynomial', degree 1           Neumann series with a weight
 *   'polynomial', degree 2 or more   Chebyshev iteration on [2/ratio, 2], from zero (Saad, Iterative Methods
 *                                    for Sparse Linear Systems, 2003, section 12.3)
 *   others                           Neumann series of degree 1, for diffusion */
struct polynomial polynomial_make(int kind, int degree, double weight, double ratio);
/* polynomial_steps: returns degrees done + 1 .. done + n of a polynomial whose degree is at least 2, for
 * laplace_steps(). */
struct poly_steps polynomial_steps(const struct polynomial *p, int done, int n);
/* polynomial_by_steps: returns the same polynomial with degree 0 in the fused kernel and a Chebyshev step for
 * each degree, as boxes with bodies need it. */
struct polynomial polynomial_by_steps(const struct polynomial *p);
/* POLYNOMIAL_SCRATCH: the most arrays beside z that the sweeps of a polynomial work in. */
enum { POLYNOMIAL_SCRATCH = 3 };

/* preconditioner: M of z = M r. If multigrid and direct are NULL, the iteration applies the polynomial in its
 * own sweeps. Otherwise M is separate from the iteration: it is the one of the two that is not NULL, and the
 * polynomial is not used.
 *
 *   open   of struct grid. With bodies the inverse of the box without them, which is zero in dead cells, is
 *          no inverse of A, but a preconditioner like the others */
struct preconditioner {
    struct polynomial polynomial;
    struct multigrid *multigrid; /* borrowed */
    struct direct *direct;       /* borrowed */
    const unsigned char *open;   /* borrowed; NULL: no bodies */
};
/* PRECONDITIONER_SCRATCH: the most arrays that an application works in. */
enum {
    PRECONDITIONER_SCRATCH =
        (int)MULTIGRID_SCRATCH > (int)POLYNOMIAL_SCRATCH ? (int)MULTIGRID_SCRATCH : (int)POLYNOMIAL_SCRATCH
};
/* preconditioner_scratch: returns the number of scratch arrays that this preconditioner needs. */
int preconditioner_scratch(const struct preconditioner *p);
/* preconditioner_apart: returns whether M is computed by preconditioner_apply(). If not, M is a polynomial,
 * which the sweeps of the iteration apply. */
int preconditioner_apart(const struct preconditioner *p);
/* preconditioner_apply: computes z = M r with an M that is no polynomial, and the sum of r z, which it
 * leaves for sums.h.
 *
 *   b         box of all arrays
 *   cg        scalars of the iteration, which have max|r|/V; or NULL
 *   scratch   preconditioner_scratch() arrays other than r and z; their values are lost
 *
 * Collective. */
kol_status preconditioner_apply(const struct preconditioner *p, struct box b, struct blocks bl,
                                const struct cg_state *cg, real *const *scratch, const real *r, real *z);
/* preconditioner_single: returns the inverse if M is one in single precision; otherwise NULL. */
struct direct_single *preconditioner_single(const struct preconditioner *p);
/* preconditioner_inverts: returns whether M is the inverse of A, to rounding. */
int preconditioner_inverts(const struct preconditioner *p);
/* preconditioner_invert: computes z = M (r - mean V) with an M that is the inverse
 * (preconditioner_inverts()). mean is the sum of r divided by the volume of the grid. Collective. */
kol_status preconditioner_invert(const struct preconditioner *p, const real *r, real *z);

#endif
