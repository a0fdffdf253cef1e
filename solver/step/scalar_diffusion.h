/* Trapezoidal diffusion of scalars in a stage: time.diffusion = 'implicit'. docs/numerics/scalars.md. For
 * 'implicit-z' see diffusion_z.h. */
#ifndef KOL_STEP_SCALAR_DIFFUSION_H
#define KOL_STEP_SCALAR_DIFFUSION_H

#include "step.h"

/* scalar_diffusion_create: sets step->scalar_diffusion. It stays NULL if there are no scalars, or if their
 * diffusion is not implicit in all directions. scalar_diffusion_destroy: frees it and sets the pointer to
 * NULL. The pointer may be NULL. */
kol_status scalar_diffusion_create(struct step *step);
void scalar_diffusion_destroy(struct scalar_diffusion **s);

/* scalar_diffusion_solve: replaces the prediction v in flow->scalar, which has no diffusion yet, by the
 * solution of
 *
 *     (1 - dts kappa/2 lap) theta = v + dts kappa/2 lap(theta_base)
 *
 * for each scalar, by PPCG. dts is the length of the stage [T]. theta_base is the base of the stage, as for
 * the velocity (diffusion.h); its halo must still be filled. If diffusion is not implicit, nothing is done.
 * Collective. */
kol_status scalar_diffusion_solve(struct step *step, struct flow *flow, double dts);

#endif
