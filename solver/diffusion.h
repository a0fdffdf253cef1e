/* Trapezoidal diffusion of a stage. */
#ifndef KOL_DIFFUSION_H
#define KOL_DIFFUSION_H

#include "run.h"

/* diffusion_solve: with diffusion = 'implicit', from the prediction v without diffusion in run->vel,
 *
 *     (1 - dts nu/2 lap) u* = v + dts nu/2 lap(u_base)
 *
 * for each component, by PPCG from the guess v; u_base: velocity at the start of the stage's base (u(n) for rk3-half,
 * u(m-1) for rk3-wray), its halo faces still filled. Does nothing where diffusion is explicit. */
kol_status diffusion_solve(struct run *run, double dts);

#endif
