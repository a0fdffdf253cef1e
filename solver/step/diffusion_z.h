/* Trapezoidal diffusion in z alone, between walls: time.diffusion = 'implicit-z'. docs/numerics/time.md. */
#ifndef KOL_STEP_DIFFUSION_Z_H
#define KOL_STEP_DIFFUSION_Z_H

#include "step.h"

/* diffusion_z_create: step->diffusion_z, NULL where it is not asked for or nu is 0. diffusion_z_destroy takes
 * NULL and leaves NULL. */
kol_status diffusion_z_create(struct step *step);
void diffusion_z_destroy(struct diffusion_z **z);

/* diffusion_z_solve: of stage m, with theta = dts nu/2,
 *
 *     (1 - theta Lz) u* = v + theta Lz (u_base - (2 a/c) u_before)
 *
 * from the prediction v in flow->vel, which holds the diffusion of u_before, the velocity before the stage,
 * in all directions, with the weight a of the stage; the diffusion in z is then taken out of the right-hand
 * sides that 'rk3-wray' keeps. u_base: velocity that the stage's base is. Halos of both are still filled,
 * beyond the walls too. The same bits however z is cut. Nothing where step->diffusion_z is NULL. Collective.
 */
kol_status diffusion_z_solve(struct step *step, struct flow *flow, int m, double dts);

/* diffusion_z_profile: (1 - theta Lz)^-1 1 at this rank's centres in z, no slip and free slip as the walls:
 * what a uniform force of the stage leaves of itself there; kernel memory, borrowed until the next solve.
 * diffusion_z_mean: its mean over the height. z NULL: NULL, which stands for 1 everywhere; and 1. */
const real *diffusion_z_profile(const struct diffusion_z *z);
double diffusion_z_mean(const struct diffusion_z *z);

#endif
