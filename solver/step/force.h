/* What a force along a periodic direction adds to the velocity in a stage. forcing.h says when. */
#ifndef KOL_STEP_FORCE_H
#define KOL_STEP_FORCE_H

#include "kernels/projection.h"
#include "step.h"

/* FORCE_POWER_LEAST: if the mean velocity is below this part of the largest speed, no force can have the
 * given power. */
#define FORCE_POWER_LEAST 1e-3

/* force_value: returns what the input asks for at time t: the mean force [U/T], the bulk velocity [U] or the
 * power [U^2/T]. */
double force_value(const struct input *in, double t);

/* force_mean: computes the volume mean of a field at the points of the velocity along d. Collective. */
kol_status force_mean(const struct domain *domain, int d, const real *field, double *mean);

/* force_find_shift: computes what a force would add to the velocity along d in stage m, of length dts [T], if
 * nothing took of it [U]. Of what is added, `left` remains in the mean. With a given power, it also computes
 * the mean velocity that the stage ends with, because the next stage divides by it. Collective, unless
 * flow->force.awaits_mean is set: then flow->force.mean is that of the predicted velocity. */
kol_status force_find_shift(struct flow *flow, int m, int d, double dts, double left, double *shift);

/* force_note: adds what stage m has added to flow->force.added. */
void force_note(struct flow *flow, int m, double shift);

/* force_needs_mean: returns whether the force of stage m depends on the mean of the predicted velocity. */
int force_needs_mean(const struct input *in, int m);

/* force_bulk: returns what the sweep of the divergence sums if flow->force.awaits_mean is set.
 *
 * force_finish: computes flow->force.shift of stage m from that mean [U]. */
struct bulk force_bulk(const struct flow *flow);
kol_status force_finish(const struct step *step, struct flow *flow, int m, double dts, double mean);

#endif
