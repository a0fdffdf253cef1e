/* Divergence, velocity correction and pressure update of the fractional step; the step's diagnostics. */
#ifndef KOL_PROJECT_H
#define KOL_PROJECT_H

#include "base/status.h"

KOL_BEGIN_C

/* project_divergence: right-hand side of the volume-weighted Poisson equation,
 *
 *     rhs = -V div(u) / dts   at ccc,   div(u) = sum over directions of (u[i+1] - u[i]) / dx_c[i]
 *
 * and its sums: part[0] sum of rhs, part[1] sum of |rhs|; part[2] max of |div(u)| [1/T].
 * u, v, w: velocity [U], halo up to date on the high faces. Per cell: 3 reads, 1 write. */
kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, real dts, const real *u,
                              const real *v, const real *w, real *rhs);

/* project_correct: u -= dts grad(phi), three components, every own point. phi [U^2] at ccc with its low halo
 * faces up to date. Per cell: 4 reads, 3 writes. */
kol_status project_correct(struct box b, struct metrics m, real dts, const real *phi, real *u, real *v,
                           real *w);

/* project_pressure: p = p_old + phi - mean - factor * lap(phi). mean pins the mean of the pressure; factor is
 * dts nu / 2 where diffusion is implicit, else 0 (then phi needs no halo; otherwise one layer, faces).
 * s: the stencil of ccc with shift 0, scale 1. p may be p_old. Per cell: 2 reads, 1 write. */
kol_status project_pressure(struct box b, struct stencil s, real mean, real factor, const real *phi,
                            const real *p_old, real *p);

/* Numbers that project_monitor returns: sums over the volume first, then maxima. */
enum {
    MON_ENERGY,    /* sum of V u.u / 2, each component with its own volume [U^2 L^3] */
    MON_DISS,      /* dissipation by the diffusion operator, divided by nu [U^2 L] */
    MON_ENSTROPHY, /* sum of V omega.omega / 2 on the edges [U^2 L] */
    MON_MOM_X,     /* sum of V u, V v, V w [U L^3] */
    MON_MOM_Y,
    MON_MOM_Z,
    MON_SUMS,
    MON_DIV = MON_SUMS, /* max |div u| [1/T] */
    MON_COURANT,        /* max over cells of sum over directions of max |face velocity| / width [1/T] */
    MON_SPEED,          /* max of |u|, |v|, |w| [U] */
    MON_COUNT
};

/* project_monitor: everything the step is watched by, in one sweep. part[MON_x] as listed above; a NaN anywhere
 * gives a NaN in MON_ENERGY. u, v, w: one halo layer, faces. Per cell: 3 reads. */
kol_status project_monitor(struct box b, struct metrics m, struct blocks bl, const real *u, const real *v,
                           const real *w);

KOL_END_C

#endif
