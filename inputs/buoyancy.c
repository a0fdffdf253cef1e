/* Tells which buoyancy the input asks for. */
#include "buoyancy.h"

#include <math.h>
#include "scalars.h"

int buoyancy_scaled(const struct input *in)
{
    return in->buoyancy.rayleigh > 0 || in->buoyancy.richardson > 0;
}

int buoyancy_free_fall(const struct input *in)
{
    return in->buoyancy.rayleigh > 0;
}

static double expansion(const struct input *in, int n)
{
    return n == 0 && buoyancy_scaled(in) ? 1 : in->buoyancy.expansion[n];
}

static double strength(const struct input *in)
{
    const double *g = in->buoyancy.gravity;
    return hypot(hypot(g[0], g[1]), g[2]); /* squares of small numbers would be 0 */
}

int buoyancy_wanted(const struct input *in)
{
    int any = 0;
    for (int n = 0; n < scalar_count(in); ++n) any |= expansion(in, n) != 0;
    return any && strength(in) > 0;
}

/* The direction of gravity; -1 if it is along none of the axes. */
static int axis(const struct input *in)
{
    const double *g = in->buoyancy.gravity;
    for (int d = 0; d < 3; ++d)
        if (g[d] != 0 && g[(d + 1) % 3] == 0 && g[(d + 2) % 3] == 0) return d;
    return -1;
}

void buoyancy_lift(const struct input *in, int n, double lift[3])
{
    const double given = strength(in);
    const double wanted = buoyancy_free_fall(in) ? 1 : buoyancy_scaled(in) ? in->buoyancy.richardson : given;
    for (int d = 0; d < 3; ++d)
        lift[d] = given > 0 ? -expansion(in, n) * (wanted / given) * in->buoyancy.gravity[d] : 0;
}

/* The mean of the values on the two faces of a direction. */
static double mean_of_faces(const struct input *in, int n, int d)
{
    return 0.5 * (in->scalars.face_value[2 * d][n] + in->scalars.face_value[2 * d + 1][n]);
}

/* Whether the state of rest of a scalar is linear along gravity, between values on both faces. */
static int linear_along_gravity(const struct input *in, int n)
{
    const int d = axis(in);
    return d >= 0 && scalar_has_value(in, n, 2 * d) && scalar_has_value(in, n, 2 * d + 1) &&
           !scalar_varies(in, n, 2 * d) && !scalar_varies(in, n, 2 * d + 1);
}

int buoyancy_wants_reference(const struct input *in, int n)
{
    return buoyancy_wanted(in) && expansion(in, n) != 0 && in->buoyancy.reference[n] == INPUT_NOWHERE &&
           !linear_along_gravity(in, n);
}

int buoyancy_lacks_reference(const struct input *in, int n)
{
    return buoyancy_wants_reference(in, n) && in->scalars.initial[n] == SCALAR_FORMULA;
}

void buoyancy_rest(const struct input *in, int n, double *rest, double slope[3])
{
    const int d = axis(in);
    for (int e = 0; e < 3; ++e) slope[e] = 0;
    if (in->buoyancy.reference[n] != INPUT_NOWHERE) {
        *rest = in->buoyancy.reference[n];
    } else if (linear_along_gravity(in, n)) {
        slope[d] =
            (in->scalars.face_value[2 * d + 1][n] - in->scalars.face_value[2 * d][n]) / in->grid.length[d];
        *rest = in->scalars.face_value[2 * d][n] - slope[d] * in->grid.origin[d];
    } else {
        *rest = in->scalars.initial[n] == SCALAR_CONDUCTION ? mean_of_faces(in, n, scalar_conduction(in, n))
                                                            : in->scalars.initial_value[n];
    }
}

/* The difference between the largest and the least value of a scalar that the input makes likely. With
 * `reference`, a reference that is given counts as such a value. */
static double spread(const struct input *in, int n, const struct scalar_ranges *ranges, int reference)
{
    double least = INFINITY, most = -INFINITY;
    double more = 2 * fabs(in->scalars.disturbance[n]);
    scalar_start_range(in, n, &least, &most);
    for (int f = 0; f < 6; ++f) {
        const struct scalar_range given = ranges->of[f][n];
        if (scalar_has_value(in, n, f)) {
            least = fmin(least, given.least);
            most = fmax(most, given.most);
        } else if (scalar_has_flux(in, n, f)) {
            more += fmax(fabs(given.least), fabs(given.most)) * in->grid.length[f / 2] /
                    scalar_diffusivity(in, n);
        }
    }
    scalar_widen_to_bodies(in, n, &least, &most);
    for (int d = 0; d < 3; ++d) more += fabs(in->scalars.mean_gradient[n][d]) * in->grid.length[d];
    if (reference && in->buoyancy.reference[n] != INPUT_NOWHERE) {
        least = fmin(least, in->buoyancy.reference[n]);
        most = fmax(most, in->buoyancy.reference[n]);
    }
    return (most > least ? most - least : 0) + more;
}

int buoyancy_range_unknown(const struct input *in, int n, const struct scalar_ranges *ranges)
{
    return buoyancy_wanted(in) && expansion(in, n) != 0 && spread(in, n, ranges, 0) == 0;
}

static double largest(const struct input *in, const struct scalar_ranges *ranges, int reference)
{
    double sum = 0;
    for (int n = 0; n < scalar_count(in) && buoyancy_wanted(in); ++n) {
        double lift[3];
        buoyancy_lift(in, n, lift);
        sum += sqrt(lift[0] * lift[0] + lift[1] * lift[1] + lift[2] * lift[2]) *
               spread(in, n, ranges, reference);
    }
    return sum;
}

double buoyancy_push(const struct input *in, const struct scalar_ranges *ranges)
{
    return largest(in, ranges, 0);
}

double buoyancy_most(const struct input *in, const struct scalar_ranges *ranges)
{
    return largest(in, ranges, 1);
}
