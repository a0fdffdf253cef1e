/* Tells which schemes of time and pressure the input asks for. This is the only place that compares
 * time.diffusion and pressure.method with their names. */
#include "schemes.h"

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

double scheme_cfl_limit(const struct input *in)
{
    return in->time.scheme == SCHEME_RK3_WRAY ? SCHEME_RK3_WRAY_LIMIT : SCHEME_RK3_HALF_LIMIT;
}
