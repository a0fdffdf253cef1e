/* Tells which scalars the input asks for. This is the only place that compares their conditions with their
 * names. */
#include "scalars.h"

#include <math.h>

int scalar_count(const struct input *in)
{
    int n = 0;
    while (n < SCALARS_MOST && in->scalars.name[n][0] != '\0') ++n;
    return n;
}

double scalar_diffusivity(const struct input *in, int n)
{
    return in->scalars.prandtl[n] > 0 ? in->fluid.nu / in->scalars.prandtl[n] : in->scalars.diffusivity[n];
}

double scalar_largest_diffusivity(const struct input *in)
{
    double most = 0;
    for (int n = 0; n < scalar_count(in); ++n) most = fmax(most, scalar_diffusivity(in, n));
    return most;
}

void scalar_gradient(const struct input *in, int n, double gradient[3])
{
    for (int d = 0; d < 3; ++d) gradient[d] = in->scalars.mean_gradient[n][d];
    if (in->scalars.bulk_source[n] != 0)
        gradient[in->forcing.direction] -= in->scalars.bulk_source[n] / in->forcing.value;
}

int scalar_limited(const struct input *in, int n)
{
    return in->scalars.limiter[n] == LIMITER_KOREN;
}

int scalar_any_limited(const struct input *in)
{
    int any = 0;
    for (int n = 0; n < scalar_count(in); ++n) any |= scalar_limited(in, n);
    return any;
}

int scalar_disturbed(const struct input *in, int n)
{
    return in->scalars.disturbance[n] != 0;
}

int scalar_random(const struct input *in, int n)
{
    const int *waves = in->scalars.waves[n];
    return scalar_disturbed(in, n) && waves[0] == 0 && waves[1] == 0 && waves[2] == 0;
}

int scalar_conduction(const struct input *in, int n)
{
    int found = -1;
    for (int d = 0; d < 3; ++d) {
        if (!scalar_has_value(in, n, 2 * d) || !scalar_has_value(in, n, 2 * d + 1)) continue;
        if (found >= 0) return -1;
        found = d;
    }
    return found;
}

int scalar_has_value(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_VALUE;
}

int scalar_has_flux(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_FLUX;
}
