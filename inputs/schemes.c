/* Tells which schemes of time and pressure the input asks for. This is the only place that compares
 * time.diffusion and pressure.method with their names. */
#include "schemes.h"

#include <stddef.h>
#include "bodies.h"
#include "face_kinds.h"

int diffusion_is_explicit(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_EXPLICIT;
}

int diffusion_is_implicit(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT;
}

int diffusion_is_implicit_z(const struct input *in)
{
    return in->time.diffusion == DIFFUSION_IMPLICIT_Z;
}

double diffusion_explicit_viscosity(const struct input *in)
{
    return diffusion_is_implicit(in) ? 0 : in->fluid.nu;
}

double diffusion_implicit_factor(const struct input *in, double dts)
{
    return diffusion_is_implicit(in) ? dts * in->fluid.nu / 2 : 0;
}

int method_is_exact(const struct input *in)
{
    return in->pressure.method == METHOD_EXACT;
}

const char *increments_obstacle(const struct input *in)
{
    if (method_is_exact(in)) return "not with pressure.method = 'exact'";
    if (!diffusion_is_explicit(in)) return "diffusion is implicit";
    if (bodies_move(in)) return "not with bodies that move";
    if (in->pressure.guess == GUESS_ZERO) return "not with pressure.guess = 'zero'";
    if (in->pressure.sums != SUMS_AUTO) return "pressure.sums chooses sweeps of double precision";
    return faces_any_open(in) ? "not with open faces" : NULL;
}

const char *first_stage_obstacle(const struct input *in)
{
    if (in->time.scheme != SCHEME_RK3_HALF) return "only with time.scheme = 'rk3-half'";
    if (in->pressure.guess != GUESS_LLI) return "only with pressure.guess = 'lli'";
    if (in->pressure.multigrid_precision == MULTIGRID_DOUBLE)
        return "only with increments, and pressure.multigrid_precision is 'double'";
    return increments_obstacle(in);
}

int increments_possible(const struct input *in)
{
    const int preconditioner = in->pressure.preconditioner;
    return (preconditioner == PRECOND_MULTIGRID || preconditioner == PRECOND_AUTO) &&
           in->pressure.multigrid_precision != MULTIGRID_DOUBLE && increments_obstacle(in) == NULL;
}

double scheme_cfl_limit(const struct input *in)
{
    return in->time.scheme == SCHEME_RK3_WRAY ? SCHEME_RK3_WRAY_LIMIT : SCHEME_RK3_HALF_LIMIT;
}
