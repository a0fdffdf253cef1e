/* Sums the diagnostics of a step: those that every step needs, or all of them. */
#ifndef KOL_STEP_FLOW_MONITOR_H
#define KOL_STEP_FLOW_MONITOR_H

#include "state/flow.h"

/* flow_monitor_take: fills the halos of velocity and pressure, sums the diagnostics of the flow in one
 * sweep, and leaves them in flow->sums. If flow->limits_only is set, and there are no open faces, only the
 * numbers of project_limits() are summed, and the others are NaN. Collective. */
kol_status flow_monitor_take(struct flow *flow);

/* flow_monitor_follows: returns whether the last correction of this step is to sum the limits, because it
 * leaves the velocity with which the step ends, and no record needs more. If arrays are only counted, it
 * returns whether that may be so in a step. flow_monitor_begin: begins to add up what this correction has
 * summed over its cells. flow_monitor_take() then collects it. */
int flow_monitor_follows(const struct flow *flow);
kol_status flow_monitor_begin(struct flow *flow);

#endif
