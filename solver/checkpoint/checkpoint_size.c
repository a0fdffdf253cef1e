/* Computes the sizes of checkpoints, on disk and in the host memory of the ranks. */
#include "checkpoint_size.h"

#include <math.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/schemes.h"
#include "io/checkpoint.h"
#include "state/field.h"
#include "step/exact_step.h"
#include "step/pressure.h"

/* The largest piece in host memory: both arrays, and what is being sent and received. */
static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* To interpolate a flow from a file that has as many cells as this run. */
static double regrid_bytes(const struct decomp *d)
{
    const size_t nx = (size_t)d->n_g[X], ny = (size_t)d->n_g[Y], nz = (size_t)d->n_g[Z];
    const size_t ranks = (size_t)d->ranks[X] * (size_t)d->ranks[Y] * (size_t)d->ranks[Z];
    size_t n = nx * ny * ((nz + ranks - 1) / ranks);
    n = largest(n, nx * nz * ((ny + ranks - 1) / ranks));
    n = largest(n, (size_t)d->n[X] * (size_t)d->n[Y] * (size_t)d->n[Z]);
    return 4 * (double)n * (double)sizeof(double);
}

int restart_arrays(const struct input *in)
{
    const int stages = pressure_stages_kept(in, in->pressure.guess) - 1; /* the running pressure is a field */
    return field_count(in) + stages + (method_is_exact(in) ? 3 : 0);
}

double restart_bytes(const struct input *in)
{
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    return cells * restart_arrays(in) * (double)sizeof(real);
}

double restart_host_bytes(const struct input *in, const struct decomp *d, struct box b)
{
    const int ranks = d->ranks[X] * d->ranks[Y] * d->ranks[Z];
    double most = (double)checkpoint_verify_bytes(d->n_g, (int)sizeof(real), ranks);
    if (strcmp(in->checkpoint.restart, "none") == 0) return most;
    for (int f = 0; f < FACES; ++f)
        if (face_is_open(in, f)) most = fmax(most, (double)b.size * (double)sizeof(real));
    return in->checkpoint.regrid ? fmax(most, regrid_bytes(d)) : most;
}

/* Guess of the rate at which checkpoints are written. It is below the rates of a local disk and of parallel
 * file systems. A run must not end because of this guess alone. */
static const double GUESSED_RATE = 0.2e9, MOST_OF_WALLTIME = 0.1;

double restart_seconds_guess(const struct input *in)
{
    return fmin(restart_bytes(in) / GUESSED_RATE, MOST_OF_WALLTIME * in->run.walltime);
}
