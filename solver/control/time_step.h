/* How long the next step may be: limits of convection and diffusion, the ends of the run, and the CFL number.
 * docs/numerics/time.md. */
#ifndef KOL_CONTROL_TIME_STEP_H
#define KOL_CONTROL_TIME_STEP_H

#include "state/flow.h"

enum dt_limit { DT_FIXED, DT_CONVECTION, DT_DIFFUSION, DT_END, DT_OUTPUT, DT_REMOVAL };

/* time_step_check: KOL_ERR_INPUT if nothing limits the time step: the fluid is at rest, it has no viscosity
 * (or implicit diffusion), and time.dt is not given. Also returns a fault of time_step_check_diffusion()
 * for the first step. Needs flow->now. */
kol_status time_step_check(const struct flow *flow);

/* time_step_check_diffusion: returns the result of diffusion_check() for time.dt. If time.dt is not given,
 * dt is that of a flow with this Courant sum [1/T]. Needs the grid. */
kol_status time_step_check_diffusion(const struct flow *flow, double courant);

/* time_step_choose: sets flow->clock.dt of the next step, and flow->clock.limit, what limits it. The last
 * step is shortened so that it ends at run.t_end. With output.cut_steps, steps are shortened in the same way
 * so that they end at the times of fields, slices and boxes, and always so that they end when bodies vanish.
 * No step is so shortened that a tiny one is left: then two are equal.
 * What is chosen depends on the clock and the flow alone, so a restarted run takes the same steps. Needs
 * flow->now. KOL_ERR_INPUT if nothing limits the step. */
kol_status time_step_choose(struct flow *flow);

/* time_step_limits: computes the limits of dt [T] for a given Courant sum [1/T]. A limit of 0 means that
 * there is none. docs/numerics/time.md.
 *
 *   *convective   time.cfl over the Courant sum plus the rates of a turning frame and an oscillating force
 *   *viscous      the largest dt for which convection and diffusion together stay in the stability region
 *                 of the scheme; 0 if all diffusion is implicit */
void time_step_limits(const struct domain *domain, double courant, double *convective, double *viscous);

/* time_step_courant: returns the Courant sum from which the next dt is chosen [1/T]. It is the largest of
 * three: `courant`, the sum of the flow itself; the sum of the speeds that walls, a bulk velocity and open
 * faces will bring; and the sum of what a force adds within the step. */
double time_step_courant(const struct flow *flow, double courant);

/* time_step_check_fixed: KOL_ERR_INPUT if a fixed dt is too long for the diffusion of a scalar, for the waves
 * of a stratified fluid if values at faces tell how strongly, or for boundary.outflow_velocity: the CFL
 * number of a cell at an outflow. Too long means well beyond the scheme's stability limit, by the margin of
 * time_step_too_fast(). Needs the grid, but no flow. */
kol_status time_step_check_fixed(const struct domain *domain);

/* time_step_cfl: returns the CFL number of the last step. It is dt times the larger of two rates: the Courant
 * sum of the flow plus the rate of a rotating frame (forcing_turning()), and the rate of
 * boundary.outflow_velocity (open_faces_courant()). */
double time_step_cfl(const struct flow *flow);

/* time_step_cfl_limit: returns the CFL number up to which the last step was stable: that of the scheme, or
 * less if a scalar has a limiter. */
double time_step_cfl_limit(const struct flow *flow);

/* time_step_too_fast: returns whether time.dt is given and the CFL number is well beyond this limit. */
int time_step_too_fast(const struct flow *flow);

/* time_step_blame: raises KOL_ERR_NUMERICAL because time.dt is too long. `what` is put into the message and
 * says when this was found. */
kol_status time_step_blame(const struct flow *flow, const char *what);

/* time_step_limit_name: returns the words for a value of enum dt_limit. */
const char *time_step_limit_name(int limit);

#endif
