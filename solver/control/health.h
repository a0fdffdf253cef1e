/* Whether the flow is sound: the numbers of the monitor after each step, and the cause if one is not. */
#ifndef KOL_CONTROL_HEALTH_H
#define KOL_CONTROL_HEALTH_H

#include "control.h"
#include "poisson/poisson.h"

/* health_choose: decides, before a step, whether the monitor after it may leave out dissipation, enstrophy
 * and the work of walls (flow->limits_only). They are wanted for records of the series and the two steps
 * before each, for lines of the log, for turbulence_watch_step(), at the end of the run, once a stop is
 * asked for (control->ending), and for a forcing that follows the dissipation. */
void health_choose(const struct control *control, struct flow *flow);

/* health_monitor: fills the halos of velocity and pressure, and computes flow->now in one sweep, unless the
 * step has left the sums. The values of the step before go to flow->before. KOL_ERR_NUMERICAL, on all ranks,
 * in three cases: the velocity or the pressure is not finite; the speed grew by the factor FLOW_BLOW_UP in
 * one step; the energy of an undriven flow grew. The message names field, cell, rank and step. Collective.
 * */
kol_status health_monitor(struct flow *flow);

/* health_blame: makes the message of a step that failed more precise, and returns its status. If st is not
 * KOL_ERR_NUMERICAL, it is returned as it is. If a velocity or the pressure is not finite, or a velocity has
 * jumped, the new message names field, cell, rank and step. If a solve failed, the message also names the
 * cell with its largest residual. Collective: every rank has the same st. */
kol_status health_blame(struct poisson *poisson, struct flow *flow, kol_status st);

/* health_budget: sets flow->budget_residual after a step. It is the residual of the balance of the kinetic
 * energy K over the step [U^2/T],
 *
 *     (K - K_before)/dt + mean of (dissipation - work of walls - energy carried in) - power of the force
 *                       - work on open faces
 *
 * The mean over the step is the mean of the parabola through the present value and the two values before
 * it. In the first step it is the mean of two values. If one of the values is not known
 * (flow->limits_only), the residual is NaN. health_budget_known: returns whether it is not. */
void health_budget(struct flow *flow);
int health_budget_known(const struct flow *flow);

/* health_check: has to be called after each step. KOL_ERR_NUMERICAL, on all ranks, if the divergence is far
 * above what the solver leaves. KOL_ERR_NUMERICAL, too, if a fixed dt had a CFL number well beyond the
 * scheme's stability limit in HEALTH_FAST_STEPS steps in a row. */
enum { HEALTH_FAST_STEPS = 10 };
kol_status health_check(struct control *control, struct flow *flow);

/* health_keepable: tests whether a checkpoint may be written now. Returns KOL_ERR_NUMERICAL, on all ranks,
 * if the last step was too long: its CFL number was well beyond the scheme's stability limit
 * (health_check()). */
kol_status health_keepable(const struct control *control, const struct flow *flow);

#endif
