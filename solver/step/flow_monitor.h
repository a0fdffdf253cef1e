/* Sums the diagnostics of a step: those that every step needs, or all of them. */
#ifndef KOL_STEP_FLOW_MONITOR_H
#define KOL_STEP_FLOW_MONITOR_H

#include "state/flow.h"

/* flow_monitor_take: fills the halos of velocity and pressure, sums the diagnostics of the flow in one
 * sweep, and leaves them in flow->sums. If flow->limits_only is set, and there are no open faces, only the
 * numbers of project_limits() are summed, and the others are NaN. Collective. */
kol_status flow_monitor_take(struct flow *flow);

#endif
