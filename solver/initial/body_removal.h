/* Bodies that vanish while the run goes on (bodies.remove_time). */
#ifndef KOL_INITIAL_BODY_REMOVAL_H
#define KOL_INITIAL_BODY_REMOVAL_H

#include "step/step.h"

/* body_removal_step: has to be called before each step. If bodies vanish at the time of the flow, fluid with
 * the velocity of the body fills its place, the solvers are made again, the flow is projected, and *vanished
 * is set to 1. flow->now still has the numbers from before then. All this depends on the flow and its time
 * alone, so a restarted run computes the same flow. Collective. */
kol_status body_removal_step(struct step *step, struct flow *flow, int *vanished);

/* body_removal_measured: has to be called after that, when flow->now has been computed from the new flow. The
 * energy budget begins again. If nothing drives the flow any more, its decay begins. energy: the kinetic
 * energy before the bodies vanished [U^2]. */
void body_removal_measured(const struct step *step, struct flow *flow, double energy);

/* body_removal_decays: whether the flow decays now that its bodies are out of it. Without bodies nothing
 * drives the flow of a periodic box any more, unless a force does work on it. A force that holds the mean
 * velocity does none, for it has nothing to overcome. */
int body_removal_decays(const struct flow *flow);

#endif
