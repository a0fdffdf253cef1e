/* What drives the flow: a mean pressure gradient along a periodic direction. docs/numerics/walls.md. */
#ifndef KOL_STEP_FORCING_H
#define KOL_STEP_FORCING_H

#include "step.h"

/* forcing_stage: what the force adds to the predicted velocity of stage m, of length dts [T]; left in
 * flow->force.shift. A uniform velocity along a periodic direction has no divergence, so the projection
 * leaves it: adding it with the correction is adding it before, explicit diffusion or a periodic box taken
 * for granted; with diffusion implicit in z the correction takes flow->force.shift times
 * diffusion_z_profile(); with implicit diffusion between walls the force is in the velocity already. With a
 * given bulk velocity it is what that lacks, to rounding. Collective. */
kol_status forcing_stage(struct step *step, struct flow *flow, int m, double dts);
/* forcing_step: after a step: flow->force.gradient, minus the mean pressure gradient over the step [U/T], and
 * its power. */
void forcing_step(struct flow *flow);
/* forcing_speed: the largest that walls, open faces or a given bulk velocity will bring [U]; forcing_courant:
 * sum over directions of such speeds over the smallest width [1/T]. */
double forcing_speed(const struct flow *flow);
double forcing_courant(const struct flow *flow);
/* forcing_push: a given force [U/T], that of a power over the mean velocity now; 0 where none is given.
 * forcing_push_courant: the Courant sum [1/T] to choose dt by on account of it: the force alone adds at most
 * half of time.cfl, and a power no more than time.cfl times the velocity. */
double forcing_push(const struct flow *flow);
double forcing_push_courant(const struct flow *flow);
/* forcing_value: the gradient, bulk velocity or power that is given, at time t. */
double forcing_value(const struct input *in, double t);
/* forcing_turning: twice the angular speed of the frame [1/T]: the largest eigenvalue of the Coriolis force.
 * forcing_rate: how fast frame and force change the flow [1/T], for the choice of dt. */
double forcing_turning(const struct input *in);
double forcing_rate(const struct input *in);
/* forcing_check: KOL_ERR_INPUT where a power is asked for and the flow that flow->now tells of has no mean
 * velocity along it. */
kol_status forcing_check(const struct flow *flow);
/* forcing_drives: whether the energy may rise. */
int forcing_drives(const struct input *in);

#endif
