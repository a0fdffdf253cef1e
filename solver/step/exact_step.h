/* The exact fractional step: the velocity of every stage is that of its start plus the discrete curl of a
 * potential on the edges, so that it has no divergence whatever the tolerance, and no pressure is solved for.
 * docs/numerics/exact.md. */
#ifndef KOL_STEP_EXACT_STEP_H
#define KOL_STEP_EXACT_STEP_H

#include "step.h"

struct exact_step;
/* exact_step_wanted: whether pressure.method is 'exact'. exact_step_create: nothing where it is not;
 * step->exact_step stays NULL. exact_step_destroy takes NULL. exact_step_arrays: fields of the pool that such
 * a run needs. */
int exact_step_wanted(const struct input *in);
kol_status exact_step_create(struct step *step);
void exact_step_destroy(struct exact_step **n);
int exact_step_arrays(const struct input *in);

/* exact_step_stage: u of stage m from u* in flow->vel: u = u0 + C s with curl((I - beta L) u) = curl(u* +
 * beta L u0), u0 the velocity that the stage starts from, beta = dts nu/2 where diffusion is implicit, else
 * 0. Collective. */
kol_status exact_step_stage(struct step *step, struct flow *flow, int m, double dts);

/* exact_step_project: flow->vel becomes the nearest velocity without divergence and with the same mean, by
 * the W norm; tolerance as that of a stage. Collective. */
kol_status exact_step_project(struct step *step, struct flow *flow, double tolerance);

/* exact_step_pressure: the pressure of the flow as it stands into flow->pressure.p: lap p = div F, F
 * convection and diffusion of flow->vel. For files, probes and statistics: no step reads it. Nothing where
 * the step's pressure is there already or no method asks for it. Collective. */
kol_status exact_step_pressure(struct step *step, struct flow *flow);

#endif
