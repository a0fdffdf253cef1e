/* Transport of scalars: convection, diffusion and sources of a stage, the layer beyond faces, buoyancy, and
 * the sums of a record. docs/numerics/scalars.md. */
#ifndef KOL_SCALAR_H
#define KOL_SCALAR_H

#include "base/status.h"

KOL_BEGIN_C

enum { SCALARS_KERNEL = 8 }; /* the most scalars of a call */

/* scalar_term: what changes one scalar, besides the flow.
 *
 *   kappa      diffusivity [U L]
 *   source     uniform source [own/T]
 *   gradient   mean gradient, whose transport is a source [own/L] */
struct scalar_term {
    real kappa, source, gradient[3];
};

/* scalar_stage: weights of one Runge-Kutta stage, and the scalars of a call.
 *
 *   a, a_old   weights of the right-hand side of this stage and of the one before, times dt [T]
 *   count      number of scalars, 1 to SCALARS_KERNEL
 *   open       bits of the open faces of each cell, as in struct stencil; NULL: all are open. Nothing passes
 *              through a closed face. In a cell without an open face, the right-hand side F is 0 */
struct scalar_stage {
    real a, a_old;
    int count;
    const unsigned char *open;
    struct scalar_term term[SCALARS_KERNEL];
};

/* scalar_transport: computes the right-hand side and the new values of all scalars in one sweep,
 *
 *     F = -(1/V) sum of flux * theta_face + kappa lap(theta) + source - gradient . u_centre
 *     out = base + a F + a_old old ;   old = F
 *
 * The sum is over the six faces of a cell. flux is the velocity through the face times its area, and
 * theta_face the half-half mean of the two values beside the face. u_centre is the half-half mean of the two
 * faces of a cell. If div(u) = 0, convection conserves the sums of V theta and V theta^2 on any grid, and a
 * uniform scalar stays uniform (test_scalar.c).
 *
 *   cells            points to compute
 *   vel              velocity at fcc, cfc, ccf [U]; own points and those on the high faces
 *   theta            values before the stage at ccc; one halo layer, faces
 *   base             values that the stage starts from; own points; base[n] may be theta[n]
 *   old              in: right-hand sides of the stage before, not read if a_old = 0; out: F. NULL: F is not
 *                    kept.
 *   out              out; the halo is not touched; none of the arrays above
 *
 * Arrays are in kernel memory. Not collective. Per cell: 3 reads; for each scalar 1 read, 1 write, 1 read
 * more if base is not theta, 1 read more if a_old is not 0, and 1 write more with old; with `open` 1 byte
 * more. */
kol_status scalar_transport(struct box b, struct metrics m, struct cells cells, const struct scalar_stage *s,
                            real *const vel[3], real *const *theta, real *const *base, real *const *old,
                            real *const *out);

/* scalar_transport_limited: does the same with Koren's limiter; s->open is not read. The value on a face is,
 * with C the cell that the flow comes from, D the other one, U the one behind C, and h the width of C,
 *
 *     theta_face = C + sign min(|D - C|, h (|s_U| + 2 |s_D|)/6, h |s_U|)
 *
 * where s_U = (C - U)/d_CU and s_D = (D - C)/d_CD, if both slopes have the same sign, and C otherwise. On
 * faces in `faces` (bit f: face f of this rank's box, beyond which lies the layer of scalar_fill) it is the
 * half-half mean. theta needs two halo layers at the faces of the box, except at those. All own cells are
 * computed. */
kol_status scalar_transport_limited(struct box b, struct metrics m, unsigned faces,
                                    const struct scalar_stage *s, real *const vel[3], real *const *theta,
                                    real *const *base, real *const *old, real *const *out);

/* scalar_limiter_loss: leaves the sum of V times the numerical dissipation of theta^2/2 for sums.h, which is
 * the sum over all faces of flux ((theta_l + theta_h)/2 - theta_face) (theta_h - theta_l) [own^2 U L^2].
 * Arguments as above. */
kol_status scalar_limiter_loss(struct box b, struct metrics m, struct blocks bl, unsigned faces,
                               real *const vel[3], const real *theta);

/* scalar_faces: the faces of this rank's box that bound the grid and are not periodic. Beyond face f, scalar
 * n is factor[f][n] times the value inside plus add[f][n]. If plane[f][n] is not NULL, it holds what is added
 * at each place instead, see plane_at() with component 0, in kernel memory. wind[f] is the velocity through
 * an inflow at each place, likewise; where it is exactly 0, the face is closed, and scalars have the value
 * inside beyond it. On other faces it is NULL. */
struct scalar_faces {
    unsigned faces; /* bit f: face f */
    int count;      /* number of scalars */
    real factor[FACES][SCALARS_KERNEL], add[FACES][SCALARS_KERNEL];
    const real *plane[FACES][SCALARS_KERNEL];
    const real *wind[FACES];
};

/* scalar_fill: fills the layer beyond these faces, of all scalars. It reads and writes cells beside own cells
 * only, so it may be called while messages travel. Per cell of a face and scalar: 1 read, 1 write; with a
 * plane 1 read more. */
kol_status scalar_fill(struct box b, const struct scalar_faces *w, real *const *theta);

/* scalar_buoyancy: adds the buoyancy of all scalars to predicted velocities,
 *
 *     B = sum over n of lift[n] (theta_n - rest_n) at the face ;   vel += a B ;   old += B
 *
 * for the three components. The value at a face is the half-half mean of the two cells beside it. The state
 * of rest of a scalar is rest[n] + slope[n] . x, where x are the centres of cells.
 *
 *   lift    minus the expansion coefficient times the gravity vector [L/T^2 over own]
 *   x       global coordinates of the cell centres of this rank in each direction, halo included: x[d][i] for
 *           i = -1 .. n; kernel memory [L]
 *   first   local index of the first face in each direction that is not a face of the box
 *   theta   values before the stage; one halo layer at the low faces
 *   vel     in and out: three arrays [U]
 *   old     in and out: right-hand sides [U/T]; NULL: they are not kept
 *
 * A component whose lift is 0 for all scalars is not touched. Per cell and other component: 1 read for each
 * scalar, 1 read and 1 write, with old 1 read and 1 write more. */
struct scalar_lift {
    int count;
    real a; /* weight of the right-hand side, times dt [T] */
    real lift[SCALARS_KERNEL][3];
    real rest[SCALARS_KERNEL], slope[SCALARS_KERNEL][3];
    const real *x[3];
    int first[3];
};
kol_status scalar_buoyancy(struct box b, const struct scalar_lift *l, real *const *theta, real *const vel[3],
                           real *const old[3]);

/* scalar_buoyancy_work: leaves the sum of V u B over the three components for sums.h, each with the volumes
 * of its points [U^2/T L^3], without faces of the box, whose velocity is given. It is the power of the
 * buoyancy. vel: own points. Per cell and other component: 1 read for each scalar, 1 read. */
kol_status scalar_buoyancy_work(struct box b, struct metrics m, struct blocks bl, const struct scalar_lift *l,
                                real *const *theta, real *const vel[3]);

/* Numbers that scalar_record leaves: sums over the volume first, then maxima. */
enum {
    SCALAR_SQUARE,  /* sum of V (theta - mean)^2 [own^2 L^3] */
    SCALAR_SCATTER, /* dissipation of theta^2/2 by the diffusion operator, divided by kappa [own^2 L] */
    SCALAR_FLUX_X,  /* sum of u theta over the volumes of the faces [own U L^3] */
    SCALAR_FLUX_Y,
    SCALAR_FLUX_Z,
    SCALAR_SUM,    /* sum of V (theta - mean) [own L^3] */
    SCALAR_VOLUME, /* sum of V [L^3] */
    SCALAR_SUMS,
    SCALAR_ABOVE = SCALAR_SUMS, /* max of theta - mean [own] */
    SCALAR_BELOW,               /* max of mean - theta [own] */
    SCALAR_NUMBERS
};

/* scalar_record: leaves these numbers of one scalar for sums.h. open: as in struct scalar_stage; fluxes
 * through closed faces do not count. live: the same without the faces of cells that a body holds; cells
 * without a face in it count in the fluxes alone. It may be `open`. If any value is NaN, SCALAR_SQUARE is
 * NaN. theta: one halo layer, faces. Per cell: 4 reads. */
kol_status scalar_record(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                         const unsigned char *live, double mean, real *const vel[3], const real *theta);

/* scalar_face_flux: computes the flux of a scalar through this rank's part of a face into the box: diffusion,
 * and convection if the face is open. It is a sum of area times flux [own U L^2],
 *
 *     rows[j * blocks + block]
 *
 * with one value for each row j along the second direction of the face and each block of bl along the first.
 * open: as in struct scalar_stage. vel: the velocity through the face. theta: own cells and the layer beyond
 * the face. Per cell of the face: 3
 * reads. */
kol_status scalar_face_flux(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                            int face, real kappa, const real *vel, const real *theta, double *rows);

KOL_END_C

#endif
