/* Divergence, velocity correction and pressure update of the fractional step, and the diagnostics of a step.
 */
#ifndef KOL_PROJECTION_H
#define KOL_PROJECTION_H

#include "base/status.h"
#include "packed.h"
#include "wall.h"

KOL_BEGIN_C

/* project_divergence: computes the right-hand side of the volume-weighted Poisson equation,
 *
 *     rhs = -V div(u) / dts   at ccc,   div(u) = sum over directions of (u[i+1] - u[i]) / dx_c[i]
 *
 * u, v, w: velocity [U], halo up to date on the high faces. Sums: rhs, |rhs|. Maximum: |div(u)| [1/T]. Per
 * cell: 3 reads, 1 write. */
kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells, real dts,
                              const real *u, const real *v, const real *w, real *rhs);

/* project_divergence_single: does the same, but stores scale rhs in single precision, in the own cells of box
 * q, which has as many. The sums are those of rhs. */
kol_status project_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                     struct cells cells, real dts, real scale, const real *u, const real *v,
                                     const real *w, float *rhs);

/* project_divergence_bulk, project_divergence_single_bulk: do the same, and form one sum more, of V u_d over
 * the own cells, as volume_dot_weighted() does. Sums: rhs, |rhs|, V u_d. The sweep reads and writes no more.
 *
 *   d            component of the velocity that is summed
 *   wx, wy, wz   widths of its volumes, as in its stencil [L] */
struct bulk {
    int d;
    const real *wx, *wy, *wz;
};
kol_status project_divergence_bulk(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                   real dts, const real *u, const real *v, const real *w, real *rhs,
                                   struct bulk bulk);
kol_status project_divergence_single_bulk(struct box b, struct box q, struct metrics m, struct blocks bl,
                                          struct cells cells, real dts, real scale, const real *u,
                                          const real *v, const real *w, float *rhs, struct bulk bulk);

/* box_rows: a field of waves in a periodic box, as box_waves_rows() of box_forcing.h leaves it.
 *
 *   row   the amplitudes in row (j, k) are the BOX_ROW numbers from row[(k ny + j) BOX_ROW] on [U]. Those of
 *         function 0 of x, which is 1, come first, one of each component; and from number BOX_QUAD on there
 *         are BOX_QUAD of each component, for the functions 1 and up. NULL: there is no field
 *   x     the functions of x at the own centres; value i of function f is number f nx + i. All in kernel
 *         memory. */
enum { BOX_FUNCTIONS = 5, BOX_QUAD = BOX_FUNCTIONS - 1, BOX_ROW = 4 * BOX_QUAD };
struct box_rows {
    const double *row, *x;
};

/* project_correct: corrects the velocity and the pressure of a stage by phi [U^2], in one sweep,
 *
 *     u += waves + profile shift - dts grad(phi), three components
 *     p = p_old + phi - mean - factor * lap(phi)
 *
 *   s       stencil of ccc with shift 0 and scale 1. Where its g is 0 (on walls), no gradient is applied.
 *   phi     [U^2] at ccc, one halo layer at the faces; if factor = 0, at the low faces only
 *   p_old   [U^2]
 *   p       out [U^2]; may be p_old. If it is NULL, only the velocity is corrected.
 *
 * Per cell: 5 reads, 4 writes. Waves take nothing more: a row has 15 numbers. */
struct correction {
    real dts;            /* length of the stage [T] */
    real mean;           /* subtracted from the pressure, to fix its mean [U^2] */
    real factor;         /* dts nu / 2 where diffusion is implicit, else 0 [L^2] */
    real shift[3];       /* what a force adds, the same everywhere and 0 in directions with walls [U] */
    const real *profile; /* factor of the shift of u and v at each level k, in kernel memory; NULL: 1 */
    struct box_rows waves;
};
kol_status project_correct(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w);

/* project_correct_packed: does the same with phi = scale times packed values in single precision, if x and y
 * are periodic and this rank owns all cells of them. ring_z: whether this rank owns all of z, too, and z is
 * periodic. Otherwise each end of z is either a wall, or the neighbour's values lie in the plane before or
 * after the packed ones; if factor = 0, only those before are read. Per cell: 4.5 reads, 4 writes in double
 * precision. */
kol_status project_correct_packed(struct box b, struct stencil s, struct correction c, real scale, int ring_z,
                                  const float *phi, const real *p_old, real *p, real *u, real *v, real *w);

/* Numbers that project_monitor leaves: sums over the volume first, then maxima. */
enum {
    MON_ENERGY,    /* sum of V u.u / 2, each component with its own volume [U^2 L^3] */
    MON_DISS,      /* dissipation by the diffusion operator, divided by nu [U^2 L] */
    MON_ENSTROPHY, /* sum of V omega.omega / 2 on the edges [U^2 L] */
    MON_MOM_X,     /* sum of V u, V v, V w [U L^3] */
    MON_MOM_Y,
    MON_MOM_Z,
    MON_WORK, /* viscous work of walls and open faces on the fluid, divided by nu [U^2 L] */
    MON_SUMS,
    MON_DIV = MON_SUMS, /* max |div u| [1/T] */
    MON_COURANT,        /* max over cells of sum over directions of max |face velocity| / width [1/T] */
    MON_SPEED,          /* max of |u|, |v|, |w| [U] */
    MON_COUNT
};

/* project_monitor: computes all diagnostics of a step in one sweep: the sums and maxima listed above. A NaN
 * anywhere gives a NaN in MON_ENERGY. u, v, w: one halo layer, faces; beyond walls as wall_fill leaves it.
 * Per cell: 3 reads. */
kol_status project_monitor(struct box b, struct metrics m, struct walls walls, struct blocks bl,
                           struct cells cells, const real *u, const real *v, const real *w);

/* project_limits: computes those numbers of project_monitor that every step needs, with the same bits:
 * energy, momentum and the three maxima. On open faces energy and momentum would lack the points on the face.
 * A NaN anywhere gives a NaN in LIM_ENERGY. u, v, w: one halo layer on the high faces. Per cell: 3 reads. */
enum {
    LIM_ENERGY, /* like MON_ENERGY, and so on */
    LIM_MOM_X,
    LIM_MOM_Y,
    LIM_MOM_Z,
    LIM_SUMS,
    LIM_DIV = LIM_SUMS,
    LIM_COURANT,
    LIM_SPEED,
    LIM_COUNT
};
kol_status project_limits(struct box b, struct metrics m, struct blocks bl, struct cells cells, const real *u,
                          const real *v, const real *w);

KOL_END_C

#endif
