/* Whether the flow is sound: its numbers after each step, and whose fault it is where one is not. */
#ifndef KOL_CONTROL_HEALTH_H
#define KOL_CONTROL_HEALTH_H

#include "control.h"
#include "poisson/poisson.h"

/* health_monitor: halos of velocity and pressure, then flow->now from one sweep. KOL_ERR_NUMERICAL, on all
 * ranks, where the velocity or the pressure is not finite or the speed jumped by FLOW_BLOW_UP, or the
 * energy of an undriven flow grew: the message names field, cell, rank and step. */
kol_status health_monitor(struct flow *flow);
/* health_blame: after a step ended with the numerical fault st: where a velocity or the pressure is not
 * finite, or a velocity has jumped, the message becomes one that names field, cell, rank and step; after a
 * solve that failed the cell of its largest residual is named. Collective; every rank has the fault. */
kol_status health_blame(struct poisson *poisson, struct flow *flow, kol_status st);
/* health_budget: after a step: flow->budget_residual = (K - K_before)/dt + mean dissipation over the step
 * less the work of walls, less the power of the force; the mean by the quadratic through this and the two
 * values before (trapezoidal in the first step). [U^2/T] */
void health_budget(struct flow *flow);
/* health_check: after a step: KOL_ERR_NUMERICAL, on all ranks, where the divergence is far beyond what the
 * solver has left, or a fixed dt has had a CFL number well beyond the scheme's stability limit for
 * HEALTH_FAST_STEPS steps in a row. health_keepable: KOL_ERR_NUMERICAL where such steps are under way: no
 * checkpoint may be written now. */
enum { HEALTH_FAST_STEPS = 10 };
kol_status health_check(struct control *control, struct flow *flow);
kol_status health_keepable(const struct control *control, const struct flow *flow);

#endif
