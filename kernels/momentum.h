/* Convection and diffusion of the velocity. Symmetry-preserving second-order operators on a stretched
 * staggered grid (Verstappen and Veldman, J. Comput. Phys. 187 (2003) 343); docs/numerics/momentum.md. */
#ifndef KOL_MOMENTUM_H
#define KOL_MOMENTUM_H

#include "base/status.h"

KOL_BEGIN_C

/* momentum_rhs: computes the right-hand sides of the three momentum equations without the pressure,
 *
 *     ru = -conv(u) + nu lap(u)   at fcc, and likewise rv at cfc, rw at ccf
 *
 * conv is (1/V) times the sum over the six faces of the momentum volume of flux * u_face. The flux is the
 * half-half mean of two area-weighted face fluxes, and u_face the half-half mean of two neighbours. The
 * operator is skew-symmetric: for nu = 0 and div(u) = 0 the sum of V (u ru + v rv + w rw) vanishes to
 * round-off on any stretched grid (test_momentum.c). lap is in flux form, with area / centre distance.
 *
 *   b          sizes and strides of all arrays, halo h >= 1
 *   m          metrics of this rank
 *   cells      points to compute
 *   nu         viscosity [U L]; 0 leaves convection only
 *   u v w      velocity [U]; one halo layer, faces and edges, up to date except beyond cells.remote
 *   ru rv rw   out, [U/T]; other points are not touched; must not overlap u, v, w
 *
 * Arrays are in kernel memory. Not collective. Per cell: 3 reads, 3 writes. */
kol_status momentum_rhs(struct box b, struct metrics m, struct cells cells, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw);

/* stage: weights of one Runge-Kutta stage. */
struct stage {
    real nu;    /* viscosity [U L] */
    real a;     /* weight of the right-hand side, times dt [T] */
    real a_old; /* weight of the right-hand side of the stage before, times dt [T] */
    real dts;   /* length of the stage, for the pressure gradient [T] */
    /* If all members from here on are 0, nothing more is computed. */
    real turn[3]; /* twice the angular velocity of the frame [1/T] */
    real pull;    /* rate of a force that is proportional to the fluctuation of the velocity [1/T] */
    real mean[3]; /* the velocity about which it fluctuates [U] */
    real without; /* part of the diffusion in z that is left out, from 0 to 1 */
};

/* momentum_stage: computes the right-hand side and the prediction of a stage in one sweep. For the three
 * components,
 *
 *     F = rhs(vel) as momentum_rhs - turn x vel + pull (vel - mean) - without nu d2(vel)/dz2
 *     out = base + a F + a_old old - dts grad(p) ;   old = F
 *
 * At face i, grad(p) is (p[i] - p[i-1]) / dx_f[i].
 *
 * For turn x vel, each of the two other components is interpolated in two steps. Its value in a cell is the
 * mean of its two faces. Its value at the face is the mean of the two cells beside the face, weighted by
 * their widths. This interpolated force does no work on any grid, whatever the divergence (test_momentum.c;
 * docs/numerics/momentum.md, "Rotation").
 *
 *   vel    velocity of the stage before [U], 3 arrays; halo as for momentum_rhs
 *   base   velocity that the stage starts from, 3 arrays; only own points are read; may be vel
 *   p      pressure [U^2] at ccc, one halo layer at the low faces
 *   old    3 arrays [U/T]. In: right-hand side of the stage before, not read if a_old = 0. Out: F. If it is
 *          NULL, F is not kept.
 *   out    3 arrays [U]; the halo is not touched; none of the arrays above
 *
 * Per cell: 4 reads (3 more if base is not vel, 3 more if a_old is not 0), 3 writes (3 more with old). */
kol_status momentum_stage(struct box b, struct metrics m, struct cells cells, struct stage s,
                          real *const vel[3], real *const base[3], const real *p, real *const old[3],
                          real *const out[3]);

/* momentum_stage_open: does the same beside bodies, and sets `out` to 0 at closed faces; base is not read
 * there. A sweep of body_hold() over the mask has no more to do. s.without is 0.
 *
 *   open   the mask of struct stencil
 *
 * Per cell: 1 byte more. */
kol_status momentum_stage_open(struct box b, struct metrics m, struct cells cells, struct stage s,
                               const unsigned char *open, real *const vel[3], real *const base[3],
                               const real *p, real *const old[3], real *const out[3]);

/* stencil_source: computes y = V (base + factor * lap(x)), the right-hand side of a trapezoidal diffusion
 * step. It is computed at the points of the stencil's location; shift and scale of the stencil are not
 * read. base and x are in [U], factor is in [L^2]. x needs one halo layer, faces only. If base is NULL, it
 * counts as 0. Per cell: 2 reads, 1 write. */
kol_status stencil_source(struct box b, struct stencil s, real factor, const real *base, const real *x,
                          real *y);

KOL_END_C

#endif
