/* What drives the flow along a periodic direction: a mean pressure gradient. docs/numerics/walls.md. A force
 * that varies in space is in forcing/box_forcing.h. */
#ifndef KOL_STEP_FORCING_H
#define KOL_STEP_FORCING_H

#include "step.h"

/* forcing_begin: with forcing.type = 'bulk-velocity', gives the flow the bulk velocity that the input asks
 * for, if it has another one. Before the first stage of a step it adds a uniform velocity along the force, as
 * an impulse of the force would do. So the stages begin with the right bulk velocity, and the step keeps its
 * order. This happens in the first step if the initial flow contradicts forcing.value, and after a restart
 * with another forcing.value or on another grid. Needs flow->now. If something is added, the halos of
 * flow->vel have to be filled again. */
kol_status forcing_begin(struct step *step, struct flow *flow);

/* forcing_stage: computes the velocity that the force adds in stage m, of length dts [T], and stores it in
 * flow->force.shift [U].
 *
 * It is added to the velocity by the pressure correction (pressure_correct()). The force is uniform and its
 * direction periodic, so what it adds has no divergence, and the projection leaves it as it is. How the
 * correction adds it depends on the diffusion:
 *
 *   explicit, or no walls      The same at every point: flow->force.shift.
 *   implicit in z alone        flow->force.shift times diffusion_z_profile().
 *   implicit, with walls       Nothing: this function has added it to flow->vel, and flow->force.shift is
 *                              0.
 *   explicit, with bodies      The same: it has been added over open faces, and less beside walls, for with
 *                              bodies a uniform force is not free of divergence.
 *
 * With forcing.type = 'bulk-velocity' the force adds, to rounding, the difference between the bulk velocity
 * asked for and that of the predicted velocity. With 'power' the force is the power divided by the bulk
 * velocity that the stage starts from. It has the weights of a right-hand side in the stage, so it has the
 * order of the scheme. Both need the mean of the predicted velocity in each stage, except 'power' in the last
 * one. In the first two lines of the table that mean comes with the sums of the divergence: this function
 * sets flow->force.awaits_mean, and pressure_solve() finds the shift (force.h). Needs flow->now, and in
 * flow->vel the predicted velocity, whose halos need not be filled. Collective. KOL_ERR_NUMERICAL if a power
 * is asked for and the fluid is nearly at rest; with 'power', pressure_solve() may return it, too. */
kol_status forcing_stage(struct step *step, struct flow *flow, int m, double dts);

/* forcing_step: sets flow->force.gradient, minus the mean pressure gradient over the step that has just ended
 * [U/T], and flow->force.power, the power of that force, of the forcing of a box or of the force by formulas
 * [U^2/T]. Needs flow->now and flow->before. */
void forcing_step(struct flow *flow);

/* forcing_check: KOL_ERR_INPUT if a power is asked for and the initial flow has no mean velocity along the
 * force. Needs flow->now. */
kol_status forcing_check(const struct flow *flow);

/* The functions below are for the choice of dt. They predict what will set in motion a fluid that is still
 * at rest.
 *
 * forcing_speed: returns the largest speed that walls, open faces or a given bulk velocity will cause [U]. */
double forcing_speed(const struct flow *flow);
/* forcing_courant: returns the Courant sum of these speeds [1/T]. For each direction it is the largest
 * speed along it over the smallest width; these are added up. */
double forcing_courant(const struct flow *flow);
/* forcing_push: returns the largest force [U/T]. With a given power it is the power over the present mean
 * velocity; with a given bulk velocity, or without a force, it is 0. */
double forcing_push(const struct flow *flow);
/* forcing_push_courant: returns the Courant sum [1/T] by which dt is chosen because of this force. Then the
 * force alone adds at most half of time.cfl in a step, and a given power adds at most time.cfl times the
 * velocity. With the forcing of a box it is the rate at which the force changes the flow. */
double forcing_push_courant(const struct flow *flow);
/* forcing_turning: returns the largest eigenvalue of the Coriolis force, twice the angular speed of the
 * frame [1/T]. */
double forcing_turning(const struct input *in);
/* forcing_rate: returns how fast the turning frame and the oscillating force change the flow [1/T]. */
double forcing_rate(const struct input *in);

#endif
