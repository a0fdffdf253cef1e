/* The 7-point operator of struct stencil, with the fused kernels of conjugate gradients and of its polynomial
 * preconditioners. docs/numerics/pressure.md.
 *
 * A is the operator, V the volume round a point, D the diagonal of A. All arrays are in kernel memory, at the
 * location of the stencil. A kernel leaves sums and maxima, which sums.h then adds up over the grid. If the
 * kernel is called twice, for CELLS_INNER and CELLS_RIM, they are complete after the second call.
 *
 * With bodies (s.open is not NULL) the operator has the open faces alone. Such a stencil can be given to
 * laplace_residual, laplace_direction, laplace_chebyshev, and to laplace_start and laplace_update with c1 =
 * 0. The other kernels return KOL_ERR_INTERNAL. In dead cells 1/D counts as 0, and laplace_residual sets r =
 * 0 there whatever rhs is; x, d and z have to be 0 there, which then remains so. */
#ifndef KOL_LAPLACE_H
#define KOL_LAPLACE_H

#include "base/status.h"
#include "point/cg.h"

KOL_BEGIN_C

/* laplace_around: returns whether the kernels below support cells.around. If they do not, cells.around must
 * be 0. */
int laplace_around(void);

/* laplace_residual: computes r = (rhs - mean V) - A x.
 *
 *   mean   for a singular system: the sum of rhs divided by the whole volume, which makes it solvable;
 *          otherwise 0
 *   rhs    may be r
 *   x      one halo layer at the faces
 *   r      out; if it is NULL, only the sums are formed
 *
 * Sums: r, V x. Maximum: |r| / V. Per cell: 2 reads, 1 write. */
kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, struct cells cells, real mean,
                            const real *rhs, const real *x, real *r);

/* The kernels below belong to one iteration of conjugate gradients. They take its scalars from `cg` in
 * kernel memory, and do nothing if cg->outcome says that the iteration has ended. If cg is NULL, alpha and
 * beta are 0 and the iteration runs. */

/* poly1: the polynomial z = c0 y + c1 (I - A/D) y with y = r / D, of degree 0 (c1 = 0) or 1. */
struct poly1 {
    real c0, c1;
};

/* laplace_start: applies the polynomial to r; z is the result. If c1 is not 0, r needs one halo layer at the
 * faces. z must not be r. Sum: r z. Maximum: |r| / V. Per cell: 1 read, 1 write. */
kol_status laplace_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly1 p, const real *r, real *z);

/* laplace_direction: computes d_new = z + beta d at the own points.
 *
 *   z       one halo layer at the faces
 *   d       one halo layer at the faces; if beta is 0, it is not read. It may be NULL if the caller knows
 *           that beta is 0, as in the first iteration of a round; this case has a launch shape of its own
 *           (TUNE_FIRST).
 *   d_new   out; neither z nor d
 *
 * Sum: d_new . A d_new. Per cell: 2 reads, 1 write. */
kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new);

/* laplace_direction_halo: computes d_new = z + beta d in the halo: in `layers` layers beyond each face, and
 * with two layers also in the first layer along the twelve edges. It writes nothing beyond the faces in
 * cells.around. z and d must hold values there. If beta is 0, d is not read and may be NULL. */
kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new);

/* laplace_update: computes x_new = x + alpha d and r_new = r - alpha A d, and applies the polynomial to
 * r_new; z is the result. A d is computed again, because it is never stored. If c1 is not 0, r_new is also
 * computed in the halo at the faces.
 *
 *   d        two halo layers at the faces and one along the edges; if c1 = 0, one layer at the faces
 *   r        one halo layer at the faces; if c1 = 0, none
 *   x_new    x, or another array; laplace_update_apart() says whether another one is faster
 *   z        out; if c1 = 0 it may be NULL: then it is not formed, and the sum is 0
 *   planes   scratch, laplace_update_scratch() values
 *   cells    cells.which must be CELLS_ALL
 *
 * x, d, r, r_new and z are five different arrays; x_new is x or a sixth. Sum: r_new z. Maximum: |r_new| / V.
 * Per cell: 3 reads, 3 writes (2 without z). */
kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, struct poly1 p, const real *d, const real *x,
                          real *x_new, const real *r, real *r_new, real *z, real *planes);
ptrdiff_t laplace_update_scratch(struct box b);
int laplace_update_apart(void);

/* laplace_energy and laplace_advance are for iterations with one sum, CG_JOINT. In these, alpha and beta are
 * known before the direction is formed. To take the sums of one kernel together with those of another one,
 * see reduction_blocks_from().
 *
 * laplace_energy: only forms the sum z . A z. z needs one halo layer at the faces. Per cell: 1 read.
 *
 * laplace_advance: does the work of laplace_direction, and of laplace_update without z, in one sweep. At the
 * own points it computes d_new = z + beta d, x_new = x + alpha d_new, and r_new = r - alpha A d_new.
 *
 *   z, d    one halo layer at the faces; d must be finite even if beta is 0
 *   x_new   x, or another array
 *   cells   cells.which must be CELLS_ALL
 *
 * z, d, d_new, x, r and r_new are six different arrays; x_new is x or a seventh. The sum that it leaves is 0.
 * Maximum: |r_new| / V. Per cell: 4 reads, 3 writes. */
kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z);
kol_status laplace_advance(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                           const struct cg_state *cg, const real *z, const real *d, real *d_new,
                           const real *x, real *x_new, const real *r, real *r_new);

/* laplace_chebyshev: raises the degree of a Chebyshev polynomial by one,
 *
 *     z_next = z + momentum (z - z_prev) + step (r - A z) / D
 *
 *   z        one halo layer, faces
 *   z_prev   the iterate before; NULL: it is y0 r / D, the iterate of degree 0, which is never stored.
 *            Otherwise y0 is not used.
 *   z_next   out; may be z_prev
 *
 * Sum: r z_next. Per cell: 3 reads, 1 write. */
kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next);

/* laplace_steps: takes n steps of laplace_chebyshev in one sweep, or computes n degrees of a polynomial from
 * the start. A thread block computes its tile and a ring of cells round it. The ring shrinks by one layer in
 * each step. Its cells also belong to other thread blocks, which compute them, too, and get the same bits.
 *
 * If z and z_prev are NULL, the first step computes degree 1 from r, as laplace_start does. In the second
 * step z_prev is then y0 r / D. So a polynomial of degree n reads only r and writes only z.
 *
 *   r        n halo layers if z is NULL, otherwise n - 1
 *   z        n halo layers
 *   z_prev   n - 1 halo layers
 *   z_next   out: the iterate after all steps
 *   z_last   out: the iterate before the last step, for a sweep that follows. It is NULL if the caller does
 *            not want it, and if n is 1.
 *
 * Here n halo layers are all cells that are at most n cells away, counted along the axes. For n = 2,
 * HALO_DEEP fills them. The halo is not read beyond faces in cells.around. Beyond faces in s.held it is not
 * read either, because its values count as 0. r, z, z_prev, z_next and z_last are five different arrays. Sum:
 * r z_next. Per cell: 1 read if z is NULL, otherwise 3; 1 write, or 2 with z_last.
 *
 * laplace_steps_wanted: returns the largest number of steps that a sweep should take, according to the launch
 * shape. No result depends on it.
 *
 * laplace_steps_most: *most is the largest number of steps that a call with these cells can take. The shared
 * memory of the GPU limits it. It is at most the number of cells in each direction of cells.around. Where
 * halos are read, it is at most the number of halo layers of the box.
 *
 * The CPU build takes one step in each sweep, by the functions above. So it also reads the halo beyond faces
 * in s.held. */
enum { LAPLACE_STEPS = 4 };
struct poly_steps {
    int n;
    struct poly1 first;                                    /* degree 1, from r */
    real y0, momentum[LAPLACE_STEPS], step[LAPLACE_STEPS]; /* of each step; those of degree 1 are not used */
};
kol_status laplace_steps(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly_steps p, const real *r, const real *z,
                         const real *z_prev, real *z_next, real *z_last);
int laplace_steps_wanted(void);
kol_status laplace_steps_most(struct box b, struct blocks bl, struct cells cells, int *most);

/* laplace_clear: sets x = 0 in the dead cells among the own ones. open: as in struct stencil, not NULL. */
kol_status laplace_clear(struct box b, const unsigned char *open, real *x);

KOL_END_C

#endif
