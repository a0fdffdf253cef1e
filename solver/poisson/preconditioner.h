/* Preconditioners by name: polynomials in the Jacobi-scaled operator I - A/D, whose spectrum lies in [0, 2]
 * on any grid (Gershgorin), so that no eigenvalue is ever estimated. docs/numerics/pressure.md. */
#ifndef KOL_POISSON_PRECONDITIONER_H
#define KOL_POISSON_PRECONDITIONER_H

#include "kernels/laplace.h"
#include "multigrid.h"
#include "direct.h"

enum { POLYNOMIAL_DEGREE_MAX = 16 };

/* precond: degree 0 or 1 is one fused kernel (poly1), each further degree is a Chebyshev step. */
struct polynomial {
    struct poly1 first;
    int steps; /* Chebyshev steps after the first degree */
    real y0;   /* the iterate of degree 0 is y0 r/D */
    real momentum[POLYNOMIAL_DEGREE_MAX], step[POLYNOMIAL_DEGREE_MAX];
};

/* polynomial_make: `jacobi`: z = r/D; `polynomial` of degree 1: Neumann series with weight; of higher degree:
 * Chebyshev iteration on [2/ratio, 2] from zero (Saad, Iterative Methods for Sparse Linear Systems, 2003,
 * section 12.3). */
struct polynomial polynomial_make(const struct input *in);
/* polynomial_steps: degrees done + 1 .. done + n of a polynomial of at least degree 2, for laplace_steps().
 * POLYNOMIAL_SCRATCH: the most arrays that its sweeps work in beside z; polynomial_scratch: how many one of
 * this degree may want. */
struct poly_steps polynomial_steps(const struct polynomial *p, int done, int n);
enum { POLYNOMIAL_SCRATCH = 3 };
int polynomial_scratch(int degree);

/* preconditioner: M of z = M r. Where multigrid and direct are NULL the polynomial is fused into the sweeps
 * of the iteration; otherwise the iteration leaves M to it, and the polynomial is not used. */
struct preconditioner {
    struct polynomial polynomial;
    struct multigrid *multigrid; /* borrowed */
    struct direct *direct;       /* borrowed */
};
/* PRECONDITIONER_SCRATCH: the most arrays that an application works in; preconditioner_scratch: how many this
 * one does. preconditioner_apart: whether M is not fused. preconditioner_apply: then z = M r; sum: r z, left
 * for sums.h. b: box of all arrays. scratch: other arrays, what they hold is lost. preconditioner_inverts:
 * whether M is the inverse of A, to rounding; preconditioner_invert: then z = M (r - mean of r/V times V).
 * Collective. */
enum {
    PRECONDITIONER_SCRATCH =
        (int)MULTIGRID_SCRATCH > (int)POLYNOMIAL_SCRATCH ? (int)MULTIGRID_SCRATCH : (int)POLYNOMIAL_SCRATCH
};
int preconditioner_scratch(const struct preconditioner *p);
int preconditioner_apart(const struct preconditioner *p);
kol_status preconditioner_apply(const struct preconditioner *p, struct box b, struct blocks bl,
                                const struct cg_state *cg, real *const *scratch, const real *r, real *z);
int preconditioner_inverts(const struct preconditioner *p);
kol_status preconditioner_invert(const struct preconditioner *p, const real *r, real *z);

#endif
