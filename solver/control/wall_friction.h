/* Flows along walls that a few numbers describe: channels, ducts, open channels, Couette flow. For estimates
 * (resolution.h) and the monitor of turbulence (turbulence_watch.h). docs/numerics/walls.md. */
#ifndef KOL_CONTROL_WALL_FRICTION_H
#define KOL_CONTROL_WALL_FRICTION_H

#include "math/laminar_profile.h"
#include "inputs/input.h"

/* wall_flow: the directions of the stream and of the walls' normals, one or two of them, lengths, and how
 * fast the walls move along the stream. */
struct wall_flow {
    int stream, normals, normal[2];
    double delta;    /* half the distance of two walls, or the one from a wall to free slip; the least [L] */
    double radius;   /* volume over the area of no-slip walls [L] */
    double gap;      /* distance between the two ends of normal[0] [L] */
    int wall[2];     /* whether the lower and the upper end of normal[0] are no-slip walls */
    double speed[2]; /* of these walls along the stream [U]; in a duct 0 */
    struct laminar_section section;
};

/* wall_friction_flow: describes the wall-bounded flow that the inputs ask for. Returns 1, or 0 if the flow
 * is not of this kind (stream_obstacle() in inputs/stream_direction.h gives the reasons). The stream is
 * that of stream_direction(). */
int wall_friction_flow(const struct input *in, struct wall_flow *s);

/* wall_friction_inflow: does the same for a stream that inflows bring along no-slip walls, so that lengths
 * can be given in wall units. Returns 0 if there is no such stream, or if fluid.re_tau is not given. */
int wall_friction_inflow(const struct input *in, struct wall_flow *s);

/* wall_friction_laminar: u_tau^2 of the laminar flow with the mean velocity `bulk` [U]: the mean of the wall
 * friction's magnitude over the walls [U^2]. */
double wall_friction_laminar(const struct wall_flow *s, double nu, double bulk);

/* wall_friction_expected: returns the friction velocity u_tau that is expected [U]. It is 0 if it is not
 * known, as in a frame that turns about the walls' normal. *by says in words from where the value comes. It
 * is the first of these that applies:
 *
 *   fluid.re_tau is given       u_tau = Re_tau nu/delta
 *   given pressure gradient     the balance of forces
 *   given bulk velocity U,      Dean (1978), as in Pope (2000), section 7.1.5: Re_tau = 0.09 Re^0.88 with
 *   or power                    Re = 2 delta U/nu, where delta is `radius`; below Re = 1350 the laminar
 *                               profile
 *   moving walls, no force      Robertson (1959): u_tau/U = 0.19/log10(U delta/nu), where U is half the
 *                               difference of the walls' velocities; below U delta/nu = 325 the linear
 *                               profile
 *
 * *turbulent is 0 if the flow is laminar at this Reynolds number, else 1. */
double wall_friction_expected(const struct input *in, const struct wall_flow *s, const char **by,
                              int *turbulent);

#endif
