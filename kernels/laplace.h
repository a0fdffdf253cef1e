/* The plane-sweep 7-point operator with fused dot products, the fused conjugate-gradient updates and the
 * polynomial preconditioners. docs/numerics/pressure.md; all arrays in kernel memory, at the location of the
 * stencil; V is the volume round a point, D the diagonal of A. */
#ifndef KOL_LAPLACE_H
#define KOL_LAPLACE_H

#include "base/status.h"

KOL_BEGIN_C

/* laplace_residual: r = (rhs - mean V) - A x. mean: what makes a singular system solvable, the sum of rhs over the
 * whole volume; 0 otherwise. part[0] sum of r, part[1] sum of V x; part[2] max of |r| / V.
 * x: one halo layer, faces. rhs may be r. Per cell: 2 reads, 1 write. */
kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, real mean, const real *rhs,
                            const real *x, real *r);

/* laplace_direction: d = z + beta d (also on the halo faces), q = A d. part[0] sum of d q.
 * z: one halo layer, faces, up to date; d: halo faces from the call before (not read when beta = 0).
 * Per cell: 2 reads, 2 writes. */
kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, real beta, const real *z,
                             real *d, real *q);

/* polynomial of degree 0 or 1 in the Jacobi-scaled operator: z = c0 y + c1 (I - A/D) y, y = r / D. */
struct poly1 {
    real c0, c1;
};

/* laplace_update: x += alpha d, r -= alpha q (r also on the halo faces when c1 != 0), then z = polynomial of r.
 * part[0] sum of r z; part[1] max of |r| / V.
 * c1 != 0: r and q with one halo layer, faces, up to date. d = NULL: only the polynomial is computed, x and q
 * are not used (start of the iteration). z must not be r. planes: scratch, laplace_plane_scratch() values.
 * Per cell: 4 reads, 3 writes. */
kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, real alpha, const real *d,
                          const real *q, struct poly1 p, real *x, real *r, real *z, real *planes);
ptrdiff_t laplace_plane_scratch(struct box b);

/* laplace_chebyshev: one more degree of a Chebyshev polynomial,
 *     z_next = z + momentum (z - z_prev) + step (r - A z) / D ;   part[0] sum of r z_next.
 * z: one halo layer, faces. z_prev = NULL: it is y0 r / D (the iterate of degree 0, never stored); otherwise y0 is not
 * used. z_next may be z_prev. Per cell: 3 reads, 1 write. */
kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, real momentum, real step,
                             real y0, const real *r, const real *z, const real *z_prev, real *z_next);

KOL_END_C

#endif
