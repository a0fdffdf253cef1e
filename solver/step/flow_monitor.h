/* Sums the diagnostics of a step: those that every step needs, or all of them. */
#ifndef KOL_STEP_FLOW_MONITOR_H
#define KOL_STEP_FLOW_MONITOR_H

#include "state/flow.h"

/* flow_monitor_take: fills the halos of velocity and pressure, sums the diagnostics of the flow in one
 * sweep, and leaves them in flow->sums. If flow->limits_only is set, and there are no open faces, or if the
 * correction has summed the limits, only the numbers of project_limits() are there, and the others are NaN.
 * Collective. */
kol_status flow_monitor_take(struct flow *flow);

/* flow_monitor_follows: returns whether the correction of a stage is to sum the limits. In the last stage it
 * is, if no record needs more, because it leaves the velocity with which the step ends. In the stages before
 * it is if the force of the next one needs energy and momentum. If arrays are only counted, it returns
 * whether that may be so in a step. flow_monitor_begin: begins to add up what this correction has summed over
 * its cells. flow_monitor_take() or box_forcing_stage() then collects it. */
int flow_monitor_follows(const struct flow *flow, int stage);
kol_status flow_monitor_begin(struct flow *flow);

#endif
