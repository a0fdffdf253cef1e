/* What a uniform force leaves in the mean velocity if there are bodies. Over the open faces a uniform force
 * is not free of divergence, so the pressure takes a part of it. docs/numerics/bodies.md. */
#ifndef KOL_STEP_BODY_RESPONSE_H
#define KOL_STEP_BODY_RESPONSE_H

#include "step.h"

/* body_response_wanted: returns whether the drive needs the response: there are bodies, and the bulk velocity
 * or the power is given. */
int body_response_wanted(const struct flow *flow);

/* body_response_prepare: computes the response if it is wanted and not known yet. The response is the
 * potential that projects a unit field over the open faces. This takes one solve of the pressure equation.
 * The potential stays in an array of the pool. Collective. */
kol_status body_response_prepare(struct step *step, struct flow *flow);

/* body_response_count: counts the arrays that body_response_prepare() takes after a restart, where pressures
 * of earlier stages are held. It is called after it, while arrays are only counted. */
kol_status body_response_count(struct step *step, struct flow *flow);

/* body_response_jump: adds to the velocity what an impulse of the force leaves after the projection, so that
 * the volume mean grows by `lack` [U], and stores the impulse in flow->force.jump [U]. Collective. */
kol_status body_response_jump(struct step *step, struct flow *flow, double lack);

#endif
