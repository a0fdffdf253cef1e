/* The exact fractional step: pressure.method = 'exact'. The velocity of every stage is the velocity at its
 * start plus the discrete curl of a potential on the edges. So it has no divergence, whatever the tolerance,
 * and no pressure is solved for. docs/numerics/exact.md. */
#ifndef KOL_STEP_EXACT_STEP_H
#define KOL_STEP_EXACT_STEP_H

#include "step.h"

struct exact_step;

/* exact_step_create: sets step->exact_step. It stays NULL if the input does not ask for this method. */
kol_status exact_step_create(struct step *step);

/* exact_step_destroy: frees it and sets the pointer to NULL. *n may be NULL. */
void exact_step_destroy(struct exact_step **n);

/* exact_step_stage: replaces u* in flow->vel by the velocity u at the end of stage m, of length dts [T]:
 *
 *     u = u0 + C s     with s from     curl((I - beta L) u) = curl(u* + beta L u0)
 *
 *   u0     velocity that the stage starts from
 *   C s    discrete curl of the potential s
 *   L      discrete Laplacian
 *   beta   dts nu/2 if diffusion is implicit, otherwise 0
 *
 * Collective. KOL_ERR_NUMERICAL if the iteration does not reach pressure.tolerance. */
kol_status exact_step_stage(struct step *step, struct flow *flow, int m, double dts);

/* exact_step_project: replaces flow->vel by the nearest velocity, in the norm that is weighted by the
 * volumes of the velocity points, that has no divergence and the same mean. tolerance means the same as for
 * a stage. Collective. */
kol_status exact_step_project(struct step *step, struct flow *flow, double tolerance);

/* exact_step_pressure: writes the pressure of the present flow into flow->pressure.p. It is the solution of
 * lap p = div F, where F is convection and diffusion of flow->vel. Files, probes and statistics read it; no
 * step does. If it is there already for this step, or the method is not 'exact', nothing is done.
 * Collective. */
kol_status exact_step_pressure(struct step *step, struct flow *flow);

#endif
