/* The plane-sweep 7-point operator with fused dot products, the fused conjugate-gradient updates and the
 * polynomial preconditioners. docs/numerics/pressure.md; all arrays in kernel memory, at the location of the
 * stencil; V is the volume round a point, D the diagonal of A. A kernel's sums and maxima are taken with
 * sums.h after it (after CELLS_RIM where it was called twice). */
#ifndef KOL_LAPLACE_H
#define KOL_LAPLACE_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* laplace_around: whether the kernels below know cells.around; where they don't it has to be 0. */
int laplace_around(void);

/* laplace_residual: r = (rhs - mean V) - A x. mean: what makes a singular system solvable, the sum of rhs
 * over the whole volume; 0 otherwise. Sums: r, V x; maximum: |r| / V. x: one halo layer, faces. rhs may be r;
 * r = NULL: only the sums. Per cell: 2 reads, 1 write. */
kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, struct cells cells, real mean,
                            const real *rhs, const real *x, real *r);

/* The kernels below belong to one iteration of conjugate gradients; they take its scalars from `cg` in kernel
 * memory and do nothing where cg->outcome says that it has ended. cg = NULL: alpha = 0, beta = 0, running. */

/* polynomial of degree 0 or 1 in the Jacobi-scaled operator: z = c0 y + c1 (I - A/D) y, y = r / D. */
struct poly1 {
    real c0, c1;
};

/* laplace_start: z = polynomial of r. Sum: r z; maximum: |r| / V. c1 != 0: r with one halo layer, faces. z
 * must not be r. Per cell: 1 read, 1 write. */
kol_status laplace_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly1 p, const real *r, real *z);

/* laplace_direction: d_new = z + beta d at the own points. Sum: d_new . A d_new. d = NULL where beta is
 * known to be 0, in the first iteration of a round: with a launch shape of its own (TUNE_FIRST).
 * z, d: one halo layer, faces (d is not read where beta = 0). d_new is neither. Per cell: 2 reads, 1 write.
 */
kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new);

/* laplace_direction_halo: the same combination on the halo: `layers` layers beyond each face; with two layers
 * also the first layer along the twelve edges; nothing beyond faces in cells.around. z and d hold values
 * there (d is not read where beta = 0, and may be NULL there). */
kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new);

/* laplace_update: x_new = x + alpha d, r_new = r - alpha A d (also on the halo faces where c1 != 0), z =
 * polynomial of r_new. Sum: r_new z; maximum: |r_new| / V. A d is formed anew, not stored. c1 != 0: d with
 * two halo layers at the faces and one along the edges, r with one at the faces; c1 = 0: d with one, faces.
 * x, d, r, r_new, z are five arrays, x_new is x or a sixth, which laplace_apart() says is faster; cells.which
 * is CELLS_ALL. c1 = 0: z may be NULL, then it is not formed and the sum is 0. planes: scratch,
 * laplace_plane_scratch() values. Per cell: 3 reads, 3 writes (2 without z). */
kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, struct poly1 p, const real *d, const real *x,
                          real *x_new, const real *r, real *r_new, real *z, real *planes);
ptrdiff_t laplace_plane_scratch(struct box b);
int laplace_apart(void);

/* For iterations with one sum, CG_JOINT, whose alpha and beta are known before the direction is formed.
 * laplace_energy: sum: z . A z. z: one halo layer, faces. Per cell: 1 read.
 * laplace_advance: laplace_direction and laplace_update without z in one sweep: d_new = z + beta d, x_new = x
 * + alpha d_new, r_new = r - alpha A d_new at the own points. Sum: 0; maximum: |r_new| / V. z, d: one halo
 * layer, faces; d is finite even where beta = 0. z, d, d_new, x, r, r_new are six arrays, x_new is x or a
 * seventh; cells.which is CELLS_ALL. Per cell: 4 reads, 3 writes. Where a kernel's sums are wanted together
 * with those of another: reduction_blocks_from(). */
kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z);
kol_status laplace_advance(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                           const struct cg_state *cg, const real *z, const real *d, real *d_new,
                           const real *x, real *x_new, const real *r, real *r_new);

/* laplace_chebyshev: one more degree of a Chebyshev polynomial,
 *     z_next = z + momentum (z - z_prev) + step (r - A z) / D ;   sum: r z_next.
 * z: one halo layer, faces. z_prev = NULL: it is y0 r / D (the iterate of degree 0, never stored); otherwise
 * y0 is not used. z_next may be z_prev. Per cell: 3 reads, 1 write. */
kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next);

/* laplace_steps: n degrees of a polynomial in one sweep, each a step of laplace_chebyshev, on the tile and a
 * shrinking ring of cells round it that their owners form, too, to the same bits. Where z and z_prev are NULL
 * the first of them is degree 1 of r as in laplace_start, and z_prev of the second y0 r / D: a polynomial of
 * degree n reads r and writes z, nothing else. z_next: after the steps; z_last: before the last of them, for
 * a sweep that follows; NULL: not wanted, and it has to be where n is 1. Sum: r z_next. Halo: z, or r where z
 * is NULL, in n layers, r and z_prev beside z in n - 1, of the cells that are at most so many cells away
 * along the axes (n = 2: what HALO_DEEP fills). It is not read beyond faces in cells.around, nor beyond faces
 * in s.held, where 0 is taken. r, z, z_prev, z_next, z_last are five arrays. Per cell: 1 read from r, 3 from
 * z; 1 write, 2 with z_last.
 *
 * laplace_steps_wanted: into how many steps a sweep polynomials are to be cut, at most: as the launch shape
 * says; no result depends on it. laplace_steps_most: the most steps of a call with these cells: what the
 * shared memory of the GPU has room for, no more than cells in a direction that is read around, and than
 * layers of the box where halos are read. The CPU build takes one step a sweep, as the functions above take
 * it, halo beyond held faces included. */
enum { LAPLACE_STEPS = 4 };
struct poly_steps {
    int n;
    struct poly1 first;                                    /* degree 1, from r */
    real y0, momentum[LAPLACE_STEPS], step[LAPLACE_STEPS]; /* of each; those of degree 1 are not used */
};
kol_status laplace_steps(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly_steps p, const real *r, const real *z,
                         const real *z_prev, real *z_next, real *z_last);
int laplace_steps_wanted(void);
kol_status laplace_steps_most(struct box b, struct blocks bl, struct cells cells, int *most);

KOL_END_C

#endif
