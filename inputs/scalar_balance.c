/* Compares the sources of scalars with their fluxes through faces. */
#include "scalar_balance.h"

#include "bodies.h"
#include "drives.h"
#include "face_kinds.h"
#include "scalars.h"

int scalar_mean_source(const struct input *in, int n, double *mean)
{
    const double *gradient = in->scalars.mean_gradient[n];
    *mean = in->scalars.source[n] + in->scalars.bulk_source[n];
    if (!scalar_has_gradient(in, n)) return 1;
    if (!drive_holds_bulk_velocity(in) || drive_oscillates(in)) return 0;
    for (int d = 0; d < 3; ++d)
        if (d != drive_direction(in) && gradient[d] != 0) return 0;
    *mean -= gradient[drive_direction(in)] * in->forcing.value;
    return 1;
}

static int has_fluxes(const struct input *in, int n)
{
    int fluxes = 0;
    for (int f = 0; f < FACES_NONE; ++f) fluxes |= scalar_has_flux(in, n, f);
    return fluxes;
}

const char *scalar_balance_doubt(const struct input *in, int n)
{
    double mean;
    if (!has_fluxes(in, n) || scalar_is_held(in, n) || scalar_flux_on_bodies(in, n)) return NULL;
    if (bodies_any(in)) return "for bodies take a part of the volume";
    return scalar_mean_source(in, n, &mean)
               ? NULL
               : "for the source of its mean gradient follows a velocity that is not known in advance";
}

double scalar_mean_growth(const struct input *in, int n)
{
    double mean;
    if (has_fluxes(in, n) || scalar_is_held(in, n) || scalar_flux_on_bodies(in, n)) return 0;
    return scalar_mean_source(in, n, &mean) ? mean : 0;
}
