/* Flows along walls, as far as a few numbers tell: channels, ducts, open channels, Couette flow. For
 * estimates (resolution.h) and the monitor of turbulence (turbulence_watch.h). docs/numerics/walls.md. */
#ifndef KOL_CONTROL_WALL_FRICTION_H
#define KOL_CONTROL_WALL_FRICTION_H

#include "math/laminar_profile.h"
#include "inputs/input.h"

/* straight: directions of stream and walls (one or two), lengths, and how fast walls move along the stream.
 */
struct wall_flow {
    int stream, normals, normal[2];
    double delta;    /* half the distance of the nearest pair of walls, all of it below free slip [L] */
    double radius;   /* volume over the area of walls without slip [L] */
    double gap;      /* distance of the two ends of normal[0] [L] */
    int wall[2];     /* whether the lower and the upper end of normal[0] is a wall without slip */
    double speed[2]; /* of these along the stream [U]; in a duct 0 */
    struct laminar_section section;
};

/* wall_friction_flow: 0 where the flow is of another kind: no wall without slip, no periodic direction for
 * the stream, walls that move across the stream, or in a duct along it (stream.h). The stream: the direction
 * of the force, else of the walls' motion, else the first without walls. */
int wall_friction_flow(const struct input *in, struct wall_flow *s);
/* wall_friction_inflow: the same of a stream that inflows bring along walls, where fluid.re_tau is given: for
 * wall units. */
int wall_friction_inflow(const struct input *in, struct wall_flow *s);

/* wall_friction_laminar: friction, u_tau^2, of the laminar flow with mean velocity `bulk`: mean magnitude
 * over the walls [U^2]. */
double wall_friction_laminar(const struct wall_flow *s, double nu, double bulk);

/* wall_friction_expected: u_tau expected [U], and by what: fluid.re_tau, the balance with a pressure
 * gradient, or correlations: Dean (1978), as in Pope (2000), section 7.1.5, Re_tau = 0.09 Re^0.88 with Re = 2
 * delta U/nu, for other sections delta = radius, laminar below Re = 1350; between moving walls Robertson
 * (1959), u_tau/U = 0.19/log10(U delta/nu) with U half their difference, laminar below 325. 0: not known, as
 * in a frame that turns about the walls' normal. */
double wall_friction_expected(const struct input *in, const struct wall_flow *s, const char **by,
                              int *turbulent);

#endif
