/* How long the next step may be: limits of convection and diffusion, the ends of the run, and the CFL number.
 * docs/numerics/time.md. */
#ifndef KOL_CONTROL_TIME_STEP_H
#define KOL_CONTROL_TIME_STEP_H

#include "state/flow.h"

enum dt_limit { DT_FIXED, DT_CONVECTION, DT_DIFFUSION, DT_END };

/* time_step_check: KOL_ERR_INPUT where nothing limits the time step: a fluid at rest without viscosity and
 * time.dt. */
kol_status time_step_check(const struct flow *flow);
/* time_step_choose: clock.dt of the next step and what limits it; cut so that the last step ends at t_end.
 * KOL_ERR_INPUT as time_step_check. */
kol_status time_step_choose(struct flow *flow);
/* time_step_limits: the limits of dt for a given Courant sum [1/T]: convective, cfl over it and the rates of
 * a turning frame and an oscillating force; viscous, where diffusion is explicit: convection and diffusion
 * together stay in the stability region. 0: no limit. docs/numerics/time.md. */
void time_step_limits(const struct domain *domain, double courant, double *convective, double *viscous);
/* time_step_courant: the Courant sum [1/T] to choose the next dt by, where the flow's own is `courant`: also
 * that of the speeds which walls, a bulk velocity and open faces bring, and of what a force adds within the
 * step. */
double time_step_courant(const struct flow *flow, double courant);
/* time_step_check_fixed: KOL_ERR_INPUT where a fixed dt is well beyond what boundary.outflow_velocity allows:
 * the CFL number of a cell at an outflow over the scheme's stability limit, by as much as health_check lets
 * pass. Wants the grid alone. */
kol_status time_step_check_fixed(const struct domain *domain);
/* time_step_cfl: the CFL number over clock.dt of the flow in its frame, or of what outflows are convected
 * with where that is larger. */
double time_step_cfl(const struct flow *flow);
/* time_step_too_fast: whether a fixed dt has a CFL number well beyond the scheme's stability limit.
 * time_step_blame: the fault of such a dt, KOL_ERR_NUMERICAL; what: words on when it was so. */
int time_step_too_fast(const struct flow *flow);
kol_status time_step_blame(const struct flow *flow, const char *what);
/* time_step_limit_name: words for a value of enum dt_limit. */
const char *time_step_limit_name(int limit);

#endif
