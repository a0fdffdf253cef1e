/* Bodies in the flow: the faces that they close, and the viscous stress on their surface. A body closes the
 * faces whose centre lies in it; the velocity there is that of the body. At open faces near its surface, the
 * viscous term depends on the distance of the wall. docs/numerics/bodies.md.
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
 * The drag is treated implicitly, extra explicitly. If a direction has a wall on one side alone, u_neighbour
 * is the velocity at the open face on its other side. A side is mirrored if its wall lies on the face of the
 * volume of u, as the walls of the grid do. The flux of such a wall has c = nu / w (2/w - 1/h), where w is
 * the width of the volume and h the distance of the closed neighbour.
 *
 *   at       index of the face in a field
 *   drag     coefficient of the drag, which contains the viscosity [1/T]
 *   half     weight of u_neighbour in x, y, z [1/T]; 0 unless the direction has one wall
 *   closed   bit 2 * direction + side is set if the neighbour on this side is closed
 *   mirror   bit 2 * direction + side is set if this side is mirrored */
struct body_point {
    int at;
    float drag;
    float half[3];
    unsigned char closed, mirror;
};

/* body_points: the points of one velocity component, ordered by the block of sums in which they lie, and
 * within a block by k, j, i.
 *
 *   wall    for each point `wall`, the velocity to which the drag brings the fluid [U], and `rest` [U/T];
 *           NULL if all of them are 0
 *   base    for each point the velocity at the start of the stage [U], which body_extra() stores if asked to
 *   lead    for each point what body_extra() says; NULL: there is none in this stage
 *   block   points block[q] .. block[q + 1] - 1 lie in block q of this rank */
struct body_points {
    int n;
    const struct body_point *point;
    const real *wall;
    real *base, *lead;
    const int *block;
};

/* body_held: the closed faces of one component whose body has a velocity, ordered as body_points are.
 *
 *   at      indices of the faces in a field
 *   value   velocity of the body there [U]
 *   base    velocity at the start of the stage [U], stored by body_energy_keep(); NULL unless bodies travel
 *   block   faces block[q] .. block[q + 1] - 1 lie in block q of this rank */
struct body_held {
    int n;
    const int *at;
    const real *value;
    real *base;
    const int *block;
};

/* body_hold: sets the velocity at the closed faces of the own cells: at the faces in `held` to the values
 * there, at all others to 0. open: NULL if the others are 0 already. Per cell: 1 byte read. */
kol_status body_hold(struct box b, const unsigned char *open, const struct body_held held[3],
                     real *const vel[3]);

/* body_extra: adds the explicit part of the viscous term to the prediction of a stage, and keeps the velocity
 * that the stage starts from. If points have a lead, it also takes from the prediction what the gradient of
 * its pressure has more than that of the pressure before, so that the drag does not act on it.
 *
 *     out += a extra + lead ;   old += extra ;   points.base = base
 *     lead = dts (gradient of p along the component - gradient of the pressure before)
 *
 * If `drag` is set, it then does what body_drag() does to out. This is right if nothing else acts on the
 * prediction before the drag. Then base and lead are stored only if `keep` is set, for sums that read them.
 *
 * body_extra_begin: makes lead the gradient of the pressure before. It is called first if the stage does not
 * have that pressure.
 *
 *   vel    the velocity as the stage reads it [U]; one halo layer at the faces
 *   base   the velocity at the start of the stage [U]; may be vel
 *   old    right-hand sides of the stage [U/T]; NULL: they are not kept
 *   out    the prediction [U]; no array of the others */
struct body_stage {
    real nu, a, dts; /* viscosity; weight of the right-hand side, times dt [T]; length of the stage [T] */
    const real *p;   /* pressure of the prediction [U^2]; one halo layer at the low faces */
    /* the pressure before, likewise; NULL: body_extra_begin() has been called, or points have no lead */
    const real *before;
    int drag, keep; /* keep is set if drag is not */
};
kol_status body_extra(struct box b, struct metrics m, const struct body_points points[3],
                      struct body_stage stage, real *const vel[3], real *const base[3], real *const *old,
                      real *const out[3]);
kol_status body_extra_begin(struct box b, struct metrics m, const struct body_points points[3],
                            const real *p);

/* body_rate: adds the viscous term beside the wall to a right-hand side of component d,
 *
 *     rate = left (rate + extra - drag (u - wall)),   left = min(1, 2/z),   z = dt drag
 *
 * A face so close to a wall that z > 2 follows the other parts of the right-hand side within a step; what is
 * left of their sum there is only the error of this.
 *
 *   dt     length of a step [T]; 0: left = 1
 *   vel    the component [U]; one halo layer at the faces
 *   rate   in and out [U/T] */
kol_status body_rate(struct box b, struct metrics m, struct body_points points, int d, real nu, real dt,
                     const real *vel, real *rate);

/* body_drag: applies the implicit part of the viscous term,
 *
 *     u = [u - (1 - beta) z (base - wall) + beta z wall] / (1 + beta z) - lead,   z = dts drag,
 *
 * with beta = 1/2 for z <= 2 and 1 - 1/z beyond. Without lead that counts as 0. dts: length of the stage [T].
 */
kol_status body_drag(const struct body_points points[3], real dts, real *const u[3]);

/* body_push: adds the effect of a uniform force to component d at open faces: `shift` [U], but at the points
 * shift / (1 + beta z), as if the force had acted before body_drag(). Per cell: 1 byte and 1 value read, 1
 * value written. */
kol_status body_push(struct box b, const unsigned char *open, struct body_points points, int d, real dts,
                     real shift, real *u);

/* body_gather: computes the gradient along d of x, a field at ccc, at every point of component d. This is the
 * difference of the two cells beside the face over their distance.
 *
 *   value   out: n gradients
 *   x       one halo layer at the low faces */
kol_status body_gather(struct box b, struct metrics m, struct body_points points, int d, const real *x,
                       real *value);

/* body_response: leaves the sum over the points of component d of V (1 - gradient) [1 - 1 / (1 + beta z)]. V
 * is the volume of the face. gradient: from body_gather(). */
kol_status body_response(struct box b, struct metrics m, struct blocks bl, struct body_points points, int d,
                         real dts, const real *gradient);

/* body_loss: leaves the sum over the points of all components of the kinetic energy that the fluid loses to
 * the bodies in addition to the dissipation of the plain stencil [U^2 L^3 / T]. A point loses
 *
 *     V u (drag (u - wall) - extra)                     by the distances of the walls,
 *     V nu u_c (u - u_c) over distance and width        by friction at a closed neighbour,
 *     m u u_c / 2                                       by convection to a closed neighbour.
 *
 * u_c is the velocity of the closed neighbour, V the volume of u, and m the flux of volume out of it. The
 * last two are 0 at surfaces at rest. vel: one halo layer, faces and edges. */
kol_status body_loss(struct box b, struct metrics m, struct blocks bl, const struct body_points points[3],
                     real nu, real *const vel[3]);

/* body_work: leaves two sums in one number [U^2 L^3 / T]:
 *
 *   - over the faces in `held`, V u_c (gradient of p): the work of the pressure of moving surfaces on the
 *     fluid;
 *   - over the links of these faces to other closed faces, nu area / distance (difference of the two
 *     velocities)^2, which project_monitor() counts as dissipation of the fluid.
 *
 * p: one halo layer at the low faces; vel: one halo layer at the faces. */
kol_status body_work(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                     const struct body_held held[3], real nu, const real *p, real *const vel[3]);

/* body_mean: leaves the sum over the own faces of V u (e - gradient of x), where e is 1 for component d and 0
 * for the others. If x is the potential that projects a uniform field over the open faces, this sum is the
 * integral of the velocity along d that vel has after a projection. The gradient is not taken across walls of
 * the grid (s.g = 0). x: one halo layer at the low faces. Per cell: 4 reads. */
kol_status body_mean(struct box b, struct stencil s, struct metrics m, struct blocks bl, int d, const real *x,
                     real *const vel[3]);

KOL_END_C

#endif
