/* Bodies in the flow: the faces that they close, and the viscous stress on their surface. A body closes the
 * faces whose centre lies in it; the velocity there is that of the body. Near its surface the distance of the
 * wall changes the viscous term. docs/numerics/bodies.md.
 *
 * All arrays are in kernel memory. `open` is the mask of struct stencil: bit f of a cell is set if its face f
 * is open. */
#ifndef KOL_BODY_H
#define KOL_BODY_H

#include "base/status.h"

KOL_BEGIN_C

/* body_point: an open face that has a closed neighbour of its own component, so that a wall lies between the
 * two. With the distances of the walls, the viscous term of the face is
 *
 *     (plain stencil) + extra - drag (u - wall),
 *     extra = sum over directions of half u_neighbour - sum over mirrored sides of c u - rest
 *
 * The drag is taken implicitly, extra explicitly. The neighbour is the open one of a direction with a single
 * wall. A side is mirrored if its wall lies on the face of the volume of u, as the walls of the grid do: c =
 * nu / w (2/w - 1/h) gives the flux of such a wall, where w is the width of the volume and h the distance of
 * the closed neighbour.
 *
 *   at       index of the face in a field
 *   drag     [1/T], viscosity included
 *   half     weight of the neighbour in x, y, z [1/T]; 0 unless the direction has a single wall
 *   closed   bit 2 * direction + side is set if the neighbour there is closed
 *   mirror   the same if this side is mirrored */
struct body_point {
    int at;
    float drag;
    float half[3];
    unsigned char closed, mirror;
};

/* body_points: the points of one velocity component, ordered by the block of sums in which they lie, and
 * within a block by k, j, i.
 *
 *   wall    of each point the velocity that its drag leads to, and `rest` [U, U/T]; NULL if all are 0
 *   base    of each point the velocity that the stage starts from [U]; body_extra() keeps it
 *   block   points block[q] .. block[q + 1] - 1 lie in block q of this rank */
struct body_points {
    int n;
    const struct body_point *point;
    const real *wall;
    real *base;
    const int *block;
};

/* body_held: the closed faces of one component whose body has a velocity, ordered as body_points are.
 *
 *   at      indices of the faces in a field
 *   value   velocity of the body there [U]
 *   block   faces block[q] .. block[q + 1] - 1 lie in block q of this rank */
struct body_held {
    int n;
    const int *at;
    const real *value;
    const int *block;
};

/* body_hold: sets the closed faces of the own cells to the velocity of their body: those in `held` to their
 * value, all others to 0. Per cell: 1 byte read. */
kol_status body_hold(struct box b, const unsigned char *open, const struct body_held held[3],
                     real *const vel[3]);

/* body_extra: adds the explicit part of the viscous term to the prediction of a stage, and keeps the velocity
 * that the stage starts from.
 *
 *     out += a extra ;   old += extra ;   points.base = base
 *
 *   d      the component
 *   a      weight of the right-hand side, times dt [T]
 *   vel    the component as the stage reads it [U]; one halo layer at the faces
 *   base   the same component at the start of the stage [U]; may be vel
 *   old    right-hand side of the stage [U/T]; NULL: it is not kept
 *   out    the prediction [U] */
kol_status body_extra(struct box b, struct metrics m, struct body_points points, int d, real nu, real a,
                      const real *vel, const real *base, real *old, real *out);

/* body_drag: takes the implicit part of the viscous term,
 *
 *     u = [u - (1 - beta) z (base - wall) + beta z wall] / (1 + beta z),   z = dts drag,
 *
 * with beta = 1/2 for z <= 2 and 1 - 1/z beyond. dts: length of the stage [T]. */
kol_status body_drag(struct body_points points, real dts, real *u);

/* body_push: adds to component d what a uniform force adds over open faces: `shift` [U], and at the points
 * shift / (1 + beta z), as if the force had acted before body_drag(). Per cell: 1 byte and 1 value read, 1
 * value written. */
kol_status body_push(struct box b, const unsigned char *open, struct body_points points, int d, real dts,
                     real shift, real *u);

/* body_gather: computes value = x[b] - x[a] over the distance of the two cells at every point of component d,
 * the gradient of a field x at ccc along d. value: n values. x: one halo layer at the low faces. m: metrics.
 */
kol_status body_gather(struct box b, struct metrics m, struct body_points points, int d, const real *x,
                       real *value);

/* body_response: leaves the sum over the points of component d of V (1 - gradient) [1 - 1 / (1 + beta z)]. V
 * is the volume of the face. gradient: from body_gather(). */
kol_status body_response(struct box b, struct metrics m, struct blocks bl, struct body_points points, int d,
                         real dts, const real *gradient);

/* body_loss: leaves the sum over the points of all components of what the bodies take from the kinetic energy
 * of the fluid beyond the dissipation of the plain stencil [U^2 L^3 / T]: by the wall distances, V u (drag (u
 * - wall) - extra), and by moving surfaces, whose velocity u_c enters the links to closed neighbours: V nu
 * u_c (u - u_c) over distance and width, and m u u_c / 2 by convection, m being the flux of volume out of the
 * volume of u. vel: one halo layer, faces and edges. */
kol_status body_loss(struct box b, struct metrics m, struct blocks bl, const struct body_points points[3],
                     real nu, real *const vel[3]);

/* body_work: leaves the sum over the faces in `held` of V u_c (gradient of p), the work of the pressure of
 * moving surfaces on the fluid, plus nu times the sum over their links to closed faces of area / distance
 * (difference of the two velocities)^2, which project_monitor() counts as dissipation of the fluid [U^2 L^3 /
 * T]. p: one halo layer at the low faces; vel: one halo layer at the faces. */
kol_status body_work(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                     const struct body_held held[3], real nu, const real *p, real *const vel[3]);

/* body_mean: leaves the sum over the own faces of V u (e - gradient of x), e = 1 for component d and 0 for
 * the others. It is the integral of the velocity along d that a projection leaves of vel, if x is the
 * potential that projects a uniform field over the open faces. The gradient is not taken across walls of the
 * grid (s.g = 0). x: one halo layer at the low faces. Per cell: 4 reads. */
kol_status body_mean(struct box b, struct stencil s, struct metrics m, struct blocks bl, int d, const real *x,
                     real *const vel[3]);

KOL_END_C

#endif
