/* The schemes of time and pressure that the input asks for. Every test of time.diffusion, pressure.method and
 * the limit of a Runge-Kutta scheme, in any folder, is one of these functions. They only read the input.
 * solver/math/rk3_scheme.h has the coefficients of the schemes. */
#ifndef KOL_SCHEMES_H
#define KOL_SCHEMES_H

#include "input.h"

/* How the viscous term is treated (time.diffusion).
 *
 *   diffusion_is_explicit         By the Runge-Kutta scheme, in all directions.
 *   diffusion_is_implicit         By the trapezoidal rule in all directions.
 *   diffusion_is_implicit_z       By the trapezoidal rule in z alone.
 *   diffusion_explicit_viscosity  Viscosity [U L] of the part that the Runge-Kutta scheme treats; 0 if it
 *                                 treats none.
 *   diffusion_implicit_factor     The factor c dt nu/2 [L^2] in (1 - factor lap) u = ..., which a stage of
 *                                 length dts = c dt [T] solves where diffusion is implicit in all directions;
 *                                 0 otherwise. */
int diffusion_is_explicit(const struct input *in);
int diffusion_is_implicit(const struct input *in);
int diffusion_is_implicit_z(const struct input *in);
double diffusion_explicit_viscosity(const struct input *in);
double diffusion_implicit_factor(const struct input *in, double dts);

/* method_is_exact: returns whether the velocity of a stage is the discrete curl of a potential
 * (pressure.method = 'exact'). If not, a pressure correction makes it free of divergence ('projection'). */
int method_is_exact(const struct input *in);

/* increments_obstacle: returns why stages can't solve for increments of the pressure in single precision, as
 * far as the input tells, in words; NULL: they can. increments_possible: returns whether stages may do so:
 * with multigrid, which pressure.preconditioner is or may choose, and unless double precision is asked
 * for. */
const char *increments_obstacle(const struct input *in);
int increments_possible(const struct input *in);

/* first_stage_obstacle: returns why the first stage of a step can't take the guess of its pressure
 * (pressure.first_stage), as far as the input tells, in words; NULL: it can, if stages solve for
 * increments. */
const char *first_stage_obstacle(const struct input *in);

/* The end of a scheme's stability region on the imaginary axis. It is the largest CFL number if there is only
 * convection. scheme_cfl_limit returns it for time.scheme. */
#define SCHEME_RK3_HALF_LIMIT 2.0
#define SCHEME_RK3_WRAY_LIMIT 1.7320508075688772 /* sqrt(3) */
double scheme_cfl_limit(const struct input *in);

#endif
