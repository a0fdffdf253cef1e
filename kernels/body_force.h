/* The force and the torque of the fluid on bodies, from the values that a stage used, so that momentum
 * balances to rounding. docs/numerics/bodies.md, "Force on a body".
 *
 * The sums are taken over segments: the part of one body in one block of sums. A segment belongs to one rank,
 * so the sums have the same bits on any number of ranks. Each has BODY_FORCES numbers. All arrays are in
 * kernel memory. */
#ifndef KOL_BODY_FORCE_H
#define KOL_BODY_FORCE_H

#include "body.h"

KOL_BEGIN_C

/* BODY_OPENING: the momentum of faces that open and close, see body_travel.h. */
enum {
    BODY_VISCOUS,
    BODY_CONVECTIVE = 3,
    BODY_PRESSURE = 6,
    BODY_TORQUE = 9,
    BODY_OPENING = 12,
    BODY_FORCES = 15
};

/* body_link: an open face and a closed neighbour of its own component.
 *
 *   at      index of the open face in a field
 *   point   its number among the points of its component
 *   d       the component
 *   side    2 * direction + side of the neighbour
 *   share   part of the point's drag that belongs to this wall
 *   wall    velocity of this wall along d [U]
 *   lead    what the explicit part adds because the wall is faster than the closed neighbour [U/T]
 *   arm     from the body's centre to the point where the grid line meets the wall [L] */
struct body_link {
    int at, point;
    signed char d, side;
    real share, wall, lead;
    float arm[3];
};

/* body_front: a closed face with a live cell on at least one side.
 *
 *   live   bit 0: the cell below is live; bit 1: the cell above is
 *   arm    from the body's centre to the centre of the face [L] */
struct body_front {
    int at;
    signed char d, live;
    float arm[3];
};

/* body_surface: the surfaces of all bodies on this rank. Segment s has the links
 * link_start[s] .. link_start[s + 1] - 1, and the fronts likewise. */
struct body_surface {
    int segments;
    const struct body_link *link;
    const struct body_front *front;
    const int *link_start, *front_start;
};

/* body_force_rates: computes how fast momentum crosses the links of each segment, for the velocity that a
 * stage reads: by the plain stencil and the explicit part of the viscous term (BODY_VISCOUS), by convection
 * (BODY_CONVECTIVE), and the moment of both (BODY_TORQUE) [U^2 L^2, U^2 L^3]. The other numbers are 0.
 *
 *   vel     one halo layer, faces and edges
 *   rates   out: segments * BODY_FORCES values */
kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s,
                            const struct body_points points[3], real nu, real *const vel[3], double *rates);

/* body_force_add: computes n values
 *
 *     total = keep total + a rates + a_old before,   and then   before = rates
 *
 * keep is 0 or 1; if it is 0, total is not read. If a_old is 0, before is not read. */
kol_status body_force_add(int n, int keep, double a, double a_old, const double *rates, double *before,
                          double *total);

/* body_force_drag: adds to total the momentum that the implicit part of the viscous term has taken from the
 * fluid in a stage [U L^3].
 *
 *   vel    the velocity after body_drag() and body_push(), before the projection */
kol_status body_force_drag(struct box b, struct metrics m, struct body_surface s,
                           const struct body_points points[3], real dts, real *const vel[3], double *total);

/* body_force_pressure: adds to total the impulse of the pressure p + phi in a stage of length dts [U L^3]. p
 * and phi: one halo layer at the low faces. phi: NULL if it is 0. */
kol_status body_force_pressure(struct box b, struct metrics m, struct body_surface s, real dts, const real *p,
                               const real *phi, double *total);

KOL_END_C

#endif
