/* Trapezoidal diffusion in z alone, between walls: time.diffusion = 'implicit-z'. docs/numerics/time.md. */
#ifndef KOL_STEP_DIFFUSION_Z_H
#define KOL_STEP_DIFFUSION_Z_H

#include "step.h"

/* diffusion_z_create: sets step->diffusion_z. It stays NULL if 'implicit-z' is not asked for or nu is 0.
 * Collective. */
kol_status diffusion_z_create(struct step *step);

/* diffusion_z_destroy: frees it and sets the pointer to NULL. *z may be NULL. */
void diffusion_z_destroy(struct diffusion_z **z);

/* diffusion_z_left_out: returns the part of the diffusion in z that the prediction of stage m leaves out
 * (struct stage of kernels/momentum.h). It is 0 if step->diffusion_z is NULL. */
double diffusion_z_left_out(const struct step *step, int m);

/* diffusion_z_solve: in stage m, of length dts [T], replace the prediction v in flow->vel by the solution
 * of
 *
 *     (1 - theta Lz) u* = v + theta Lz u_base ,        theta = dts nu/2
 *
 *   Lz         the second difference in z
 *   v          the prediction without the diffusion in z
 *   u_base     velocity that is the base of the stage (struct rk3_stage)
 *
 * In the first stage of rk3-half v has theta Lz u_base already. The halo of u_base must still be filled,
 * beyond the walls too. The result has the same bits however z is divided over the ranks. If
 * step->diffusion_z is NULL, nothing is done. Collective. */
kol_status diffusion_z_solve(struct step *step, struct flow *flow, int m, double dts);

/* diffusion_z_scalars: solves
 *
 *     (1 - theta Lz) s* = v + theta Lz (s_base - (2 a/c) s_before)
 *
 * for the scalars in flow->scalar, with their diffusivities in place of nu and their conditions on the faces
 * in z. v has the diffusion of s_before in all directions, with the stage's weight a; c is its length (struct
 * rk3_stage). Afterwards the right-hand sides that rk3-wray keeps no longer have the diffusion in z. */
kol_status diffusion_z_scalars(struct step *step, struct flow *flow, int m, double dts);

/* diffusion_z_profile: returns f = (1 - theta Lz)^-1 1 at this rank's cell centres in z, with the
 * conditions of the walls (no slip or free slip). If a uniform force would change the velocity by 1 without
 * diffusion, it changes it by f at the end of the stage that was solved last. The array lies in kernel
 * memory and is valid until the next solve. If z is NULL, the function returns NULL, which stands for f =
 * 1. */
const real *diffusion_z_profile(const struct diffusion_z *z);

/* diffusion_z_mean: returns the mean of that profile over the height of the box; 1 if z is NULL. */
double diffusion_z_mean(const struct diffusion_z *z);

#endif
