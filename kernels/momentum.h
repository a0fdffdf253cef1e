/* Convection and diffusion of the velocity. Symmetry-preserving second-order operators on a stretched
 * staggered grid (Verstappen and Veldman, J. Comput. Phys. 187 (2003) 343); docs/numerics/momentum.md. */
#ifndef KOL_MOMENTUM_H
#define KOL_MOMENTUM_H

#include "base/status.h"

KOL_BEGIN_C

/* momentum_rhs: right-hand sides of the three momentum equations without the pressure,
 *
 *     ru = -conv(u) + nu lap(u)   at fcc, and likewise rv at cfc, rw at ccf, every point of range
 *
 * conv: (1/V) sum over the six faces of the momentum volume of flux * u_face; the flux is the half-half mean of
 * two area-weighted face fluxes, u_face the half-half mean of two neighbours. Skew-symmetric: the sum of
 * V (u ru + v rv + w rw) vanishes to round-off for nu = 0 and div(u) = 0 on any stretched grid
 * (test_momentum.c). lap: flux form, area / centre distance.
 *
 *   b         sizes and strides of all arrays, halo h >= 1
 *   m         metrics of this rank
 *   range     points to compute
 *   nu        viscosity [U L]; 0 leaves convection only
 *   u v w     velocity [U]; one halo layer, faces and edges, up to date
 *   ru rv rw  out, [U/T]; untouched outside range; must not overlap u, v, w
 *
 * Arrays in kernel memory. Not collective. Per cell: 3 reads, 3 writes. */
kol_status momentum_rhs(struct box b, struct metrics m, struct range range, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw);

/* stencil_source: y = V (base + factor * lap(x)) at the points of the stencil's location (its shift and scale are not
 * read): the right-hand side of a trapezoidal diffusion step. base, x in [U], factor [L^2]; one halo layer of x,
 * faces only. Per cell: 2 reads, 1 write. */
kol_status stencil_source(struct box b, struct stencil s, real factor, const real *base, const real *x,
                          real *y);

KOL_END_C

#endif
