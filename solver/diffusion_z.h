/* Trapezoidal diffusion in z alone, between walls: time.diffusion = 'implicit-z'. docs/numerics/time.md. */
#ifndef KOL_DIFFUSION_Z_H
#define KOL_DIFFUSION_Z_H

#include "run.h"

/* diffusion_z_create: run->diffusion_z, NULL where it is not asked for or nu is 0. diffusion_z_bytes: kernel memory that it takes.
 * diffusion_z_destroy takes NULL and leaves NULL. */
kol_status diffusion_z_create(struct run *run);
void diffusion_z_destroy(struct diffusion_z **z);
double diffusion_z_bytes(const struct run *run);

/* diffusion_z_solve: with theta = dts nu/2 and u_before, the velocity before the stage (run->before_stage, in the first run->start),
 *
 *     (1 - theta Lz) u* = v + theta Lz (u_base - 2 u_before)
 *
 * from the prediction v in run->vel, which holds the diffusion of u_before in all directions; u_base: run->start. Halos of both beyond
 * the walls are still filled. Nothing where run->diffusion_z is NULL. */
kol_status diffusion_z_solve(struct run *run, double dts);

/* diffusion_z_profile: (1 - theta Lz)^-1 1 at the centres in z, no slip and free slip as the walls: what a uniform force of the stage
 * leaves of itself there; kernel memory, borrowed until the next solve but one. diffusion_z_mean: its mean over the height. z NULL: NULL,
 * which stands for 1 everywhere; and 1. */
const real *diffusion_z_profile(const struct diffusion_z *z);
double diffusion_z_mean(const struct diffusion_z *z);

#endif
