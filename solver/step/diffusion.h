/* Trapezoidal diffusion of a stage: time.diffusion = 'implicit'. docs/numerics/time.md. */
#ifndef KOL_STEP_DIFFUSION_H
#define KOL_STEP_DIFFUSION_H

#include "step.h"

/* diffusion_solve: replaces the prediction v in flow->vel, which has no diffusion yet, by the solution u* of
 *
 *     (1 - dts nu/2 lap) u* = v + dts nu/2 lap(u_base)
 *
 * for each component, by PPCG. dts is the length of the stage [T]. u_base is the base of the stage: u(n) for
 * rk3-half, u(m-1) for rk3-wray. Its halo must still be filled, beyond walls too. If diffusion is explicit,
 * nothing is done. Collective. */
kol_status diffusion_solve(struct step *step, struct flow *flow, double dts);

/* diffusion_check: returns KOL_ERR_INPUT if steps of length dt [T] are too long for implicit diffusion on
 * this grid. This is so if the cells are so thin that rounding may leave too large an error, or that the
 * solution blows up at the edge of a moving wall. Returns KOL_OK if dt is 0 or diffusion is not implicit.
 * Needs the grid. Every rank gets the same result. */
kol_status diffusion_check(const struct domain *domain, double dt);

/* diffusion_shapes_force: returns whether diffusion_solve makes a uniform force non-uniform. This is so
 * with implicit diffusion between walls. */
int diffusion_shapes_force(const struct domain *domain);

/* diffusion_force: solves (1 - dts nu/2 lap) f = 1 for f at the points of component d, to
 * time.diffusion_tolerance. A uniform force along d whose impulse in a stage is 1 changes the velocity by f
 * at the end of this stage, of length dts [T]. Far from the walls f is 1. *out is an array of the pool; the
 * caller drops it. Call it only if diffusion_shapes_force() returns 1. Collective. */
kol_status diffusion_force(struct poisson *poisson, int d, double dts, real **out);

/* diffusion_rounding: returns the residual, over V and over the size of the unknown, that rounding errors may
 * leave of a system 1 - factor lap. A solve that cannot get below it may end there. */
double diffusion_rounding(const struct domain *domain, double factor);

#endif
