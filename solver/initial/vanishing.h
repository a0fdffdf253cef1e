/* Bodies that vanish while the run goes on (bodies.remove_time). */
#ifndef KOL_INITIAL_VANISHING_H
#define KOL_INITIAL_VANISHING_H

#include "step/step.h"

/* vanishing_step: to be called before each step. If bodies vanish at the time of the flow, fluid with the
 * velocity of each body takes its place, the solvers are made again, the flow is projected, and *vanished is
 * set to 1. The numbers of flow->now then belong to the flow before. What it does depends on the flow and its
 * time alone, so that a run that was restarted before goes through the same flows. Collective. */
kol_status vanishing_step(struct step *step, struct flow *flow, int *vanished);

/* vanishing_measured: to be called when flow->now is that of the new flow. The energy budget begins again; if
 * nothing drives the flow any more, its decay begins. energy: that of the flow before [U^2]. */
void vanishing_measured(const struct step *step, struct flow *flow, double energy);

#endif
