/* Trapezoidal diffusion of a stage. */
#ifndef KOL_STEP_DIFFUSION_H
#define KOL_STEP_DIFFUSION_H

#include "step.h"

/* diffusion_solve: with diffusion = 'implicit', from the prediction v without diffusion in flow->vel,
 *
 *     (1 - dts nu/2 lap) u* = v + dts nu/2 lap(u_base)
 *
 * for each component, by PPCG; u_base: velocity at the start of the stage's base (u(n) for rk3-half, u(m-1)
 * for rk3-wray), its halo still filled, beyond walls too. Does nothing where diffusion is explicit.
 * Collective. */
kol_status diffusion_solve(struct step *step, struct flow *flow, double dts);

/* diffusion_shapes_force: whether a uniform force does not stay uniform in that system: implicit diffusion
 * between walls. diffusion_force: then (1 - dts nu/2 lap)^-1 1, what a force along d leaves of itself in a
 * stage of length dts: 1 far from the walls; solved for to time.diffusion_tolerance. out: an array of the
 * pool, to be dropped. Collective. */
int diffusion_shapes_force(const struct domain *domain);
kol_status diffusion_force(struct poisson *poisson, int d, double dts, real **out);

#endif
