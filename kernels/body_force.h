/* The force and the torque of the fluid on bodies, from the values that a stage used, so that momentum
 * balances to rounding. docs/numerics/bodies.md, "Force on a body".
 *
 * The sums are taken over segments: the part of one body in one block of sums. A segment belongs to one rank,
 * so the sums have the same bits on any number of ranks. Each has BODY_FORCES numbers. All arrays are in
 * kernel memory. */
#ifndef KOL_BODY_FORCE_H
#define KOL_BODY_FORCE_H

#include <stddef.h>
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
 *   at       index of the open face in a field
 *   point    its number among the points of its component
 *   d        the component
 *   side     2 * direction + side of the neighbour
 *   mirror   whether this side of the point is mirrored
 *   half     the point's weight of the velocity at the open face on the other side [1/T]
 *   drag     coefficient of the point's drag [1/T]
 *   share    part of the point's drag that belongs to this wall
 *   wall     velocity of this wall along d [U]
 *   lead     what the explicit part adds because the wall is faster than the closed neighbour [U/T]
 *   arm      from the body's centre to the point where the grid line meets the wall [L] */
struct body_link {
    int at, point;
    signed char d, side, mirror;
    float half, drag;
    real share, wall, lead;
    float arm[3];
};

/* body_links: n links, with an array for each member. code holds d, side and mirror. wall and lead are NULL
 * if all of them are 0. */
struct body_links {
    int n;
    real *share, *wall, *lead;
    int *at, *point;
    float *half, *drag, *arm[3];
    unsigned char *code;
};

/* body_links_bytes: returns the size of the memory for n links. moves: whether there are wall and lead. */
static inline size_t body_links_bytes(size_t n, int moves)
{
    return n * ((moves ? 3 : 1) * sizeof(real) + 2 * sizeof(int) + 5 * sizeof(float) + 1);
}

/* body_links_in: returns the arrays of n links in such memory. */
static inline struct body_links body_links_in(double *memory, int n, int moves)
{
    struct body_links s;
    s.n = n;
    s.share = (real *)memory;
    s.wall = moves ? s.share + n : NULL;
    s.lead = moves ? s.wall + n : NULL;
    s.at = (int *)((moves ? s.lead : s.share) + n);
    s.point = s.at + n;
    s.half = (float *)(s.point + n);
    s.drag = s.half + n;
    for (int e = 0; e < 3; ++e) s.arm[e] = s.drag + (ptrdiff_t)(e + 1) * n;
    s.code = (unsigned char *)(s.arm[2] + n);
    return s;
}

/* body_links_set: sets link l in host memory. */
static inline void body_links_set(struct body_links s, int l, struct body_link link)
{
    s.at[l] = link.at;
    s.point[l] = link.point;
    s.code[l] = (unsigned char)(link.d | link.side << 2 | link.mirror << 5);
    s.half[l] = link.half;
    s.drag[l] = link.drag;
    s.share[l] = link.share;
    if (s.wall != NULL) s.wall[l] = link.wall;
    if (s.lead != NULL) s.lead[l] = link.lead;
    for (int e = 0; e < 3; ++e) s.arm[e][l] = link.arm[e];
}

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
    struct body_links links;
    const struct body_front *front;
    const int *link_start, *front_start;
};

/* body_force_rates: begins the sums of a stage. For each segment it computes how fast momentum crosses its
 * links for the velocity that the stage reads: by the plain stencil and the explicit part of the viscous term
 * (BODY_VISCOUS), by convection (BODY_CONVECTIVE), and the moment of both (BODY_TORQUE) [U^2 L^2, U^2 L^3].
 * The other rates are 0. Then
 *
 *     total = keep total + a rate + a_old before,   and   before = rate.
 *
 * keep is 0 or 1; if it is 0, total is not read. If a_old is 0, before is not read.
 *
 *   vel             one halo layer, faces and edges
 *   before, total   segments * BODY_FORCES values */
kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s, real nu,
                            real *const vel[3], int keep, double a, double a_old, double *before,
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
