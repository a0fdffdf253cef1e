/* Tells which scalars the input asks for. This is the only place that compares their conditions with their
 * names. */
#include "scalars.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "bodies.h"
#include "face_kinds.h"
#include "formula.h"
#include "schemes.h"

/* Points in each direction of the box, at which the range of an initial formula is estimated. */
enum { SAMPLES = 8 };

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

double scalar_explicit_diffusivity(const struct input *in, int n)
{
    return diffusion_is_implicit(in) ? 0 : scalar_diffusivity(in, n);
}

/* The range of a formula at SAMPLES points in each direction. */
static void sample(const struct input *in, const struct formula *f, double *least, double *most)
{
    double v[FORMULA_VARIABLES] = {0};
    for (int d = 0; d < 3; ++d) v[FORMULA_LX + d] = in->grid.length[d];
    v[FORMULA_NU] = in->fluid.nu;
    for (int s = 0; s < SAMPLES * SAMPLES * SAMPLES; ++s) {
        const int at[3] = {s % SAMPLES, s / SAMPLES % SAMPLES, s / (SAMPLES * SAMPLES)};
        for (int d = 0; d < 3; ++d)
            v[FORMULA_X + d] = in->grid.origin[d] + (at[d] + 0.5) / SAMPLES * in->grid.length[d];
        const double value = formula_value(f, v);
        if (!isfinite(value)) continue;
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

void scalar_start_range(const struct input *in, int n, double *least, double *most)
{
    struct formula f;
    char fault[FORMULA_FAULT];
    int column;
    if (in->scalars.initial[n] == SCALAR_UNIFORM) {
        *least = fmin(*least, in->scalars.initial_value[n]);
        *most = fmax(*most, in->scalars.initial_value[n]);
    } else if (in->scalars.initial[n] == SCALAR_FORMULA &&
               formula_parse(in->scalars.initial_formula[n], FORMULA_OF_START, &f, &column, fault)) {
        sample(in, &f, least, most);
    }
}

double scalar_scale(const struct input *in, int n, const struct scalar_ranges *ranges)
{
    const double kappa = scalar_diffusivity(in, n);
    double scale = fabs(in->scalars.disturbance[n]), length = 0, low = 0, high = 0;
    scalar_start_range(in, n, &low, &high);
    scale = fmax(scale, fmax(-low, high));
    for (int f = 0; f < 6; ++f) {
        const double given = fmax(fabs(ranges->of[f][n].least), fabs(ranges->of[f][n].most));
        if (scalar_has_value(in, n, f)) scale = fmax(scale, given);
        if (scalar_has_flux(in, n, f)) scale = fmax(scale, given * in->grid.length[f / 2] / kappa);
    }
    double least = -scale;
    scalar_widen_to_bodies(in, n, &least, &scale);
    scale = fmax(scale, -least);
    for (int d = 0; d < 3; ++d) {
        length = fmax(length, in->grid.length[d]);
        scale = fmax(scale, fabs(in->scalars.mean_gradient[n][d]) * in->grid.length[d]);
    }
    const double source = fmax(fabs(in->scalars.source[n]), fabs(in->scalars.bulk_source[n]));
    if (scale == 0) scale = source * length * length / kappa;
    return scale > 0 ? scale : 1;
}

double scalar_largest_diffusivity(const struct input *in)
{
    double most = 0;
    for (int n = 0; n < scalar_count(in); ++n) most = fmax(most, scalar_explicit_diffusivity(in, n));
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
        if (scalar_varies(in, n, 2 * d) || scalar_varies(in, n, 2 * d + 1)) return -1;
        if (found >= 0) return -1;
        found = d;
    }
    return found;
}

int scalar_has_none(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_NONE;
}

int scalar_has_value(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_VALUE || scalar_by_planes(in, n, face);
}

int scalar_has_flux(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_FLUX;
}

/* The entry of &bodies, from 0, that makes body m; BODIES_MOST for bodies that others make. */
static int entry_of(const struct input *in, int m)
{
    int entry = 0;
    for (; entry < BODIES_MOST; ++entry)
        if (in->bodies.shape[entry] != SHAPE_NONE && m-- == 0) break;
    return entry;
}

int scalar_has_gradient(const struct input *in, int n)
{
    const double *gradient = in->scalars.mean_gradient[n];
    return gradient[0] != 0 || gradient[1] != 0 || gradient[2] != 0;
}

int scalar_flux_on_bodies(const struct input *in, int n)
{
    return in->scalars.bodies[n] == SCALAR_FACE_FLUX;
}

int scalar_on_body(const struct input *in, int n, int m, double *value)
{
    const int entry = entry_of(in, m);
    const double own = entry < BODIES_OWN ? in->scalars.body_value[n][entry] : INPUT_NOWHERE;
    *value = own < INPUT_NOWHERE ? own : in->scalars.bodies_value[n];
    if (scalar_flux_on_bodies(in, n)) return 0;
    return own < INPUT_NOWHERE || in->scalars.bodies[n] == SCALAR_FACE_VALUE;
}

int scalar_on_bodies(const struct input *in, int n)
{
    int any = in->scalars.bodies[n] == SCALAR_FACE_VALUE || scalar_flux_on_bodies(in, n);
    for (int entry = 0; entry < BODIES_OWN; ++entry) any |= in->scalars.body_value[n][entry] < INPUT_NOWHERE;
    return any;
}

void scalar_widen_to_bodies(const struct input *in, int n, double *least, double *most)
{
    for (int entry = -1; entry < BODIES_OWN && !scalar_flux_on_bodies(in, n); ++entry) {
        const double given = entry < 0 ? in->scalars.bodies_value[n] : in->scalars.body_value[n][entry];
        if (entry < 0 ? in->scalars.bodies[n] != SCALAR_FACE_VALUE : given >= INPUT_NOWHERE) continue;
        *least = fmin(*least, given);
        *most = fmax(*most, given);
    }
}

int scalar_any_on_bodies(const struct input *in)
{
    int any = 0;
    for (int n = 0; n < scalar_count(in); ++n) any |= scalar_on_bodies(in, n);
    return any;
}

int scalar_is_held(const struct input *in, int n)
{
    for (int f = 0; f < FACES_NONE; ++f)
        if (scalar_has_value(in, n, f) || face_is_open(in, f)) return 1;
    return scalar_on_bodies(in, n) && !scalar_flux_on_bodies(in, n);
}

int scalar_by_planes(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_PLANES;
}

static int takes_numbers(const struct input *in, int n, int face)
{
    return in->scalars.face[face][n] == SCALAR_FACE_VALUE || scalar_has_flux(in, n, face);
}

int scalar_by_formula(const struct input *in, int n, int face)
{
    return takes_numbers(in, n, face) && in->scalars.face_formula[face][n][0] != '\0';
}

int scalar_by_table(const struct input *in, int n, int face)
{
    return takes_numbers(in, n, face) && in->scalars.face_table[face][n][0] != '\0';
}

int scalar_varies(const struct input *in, int n, int face)
{
    return scalar_by_planes(in, n, face) || scalar_by_formula(in, n, face) || scalar_by_table(in, n, face);
}

int scalar_varies_along(const struct input *in, int n, int face, const int along[3])
{
    char fault[FORMULA_FAULT];
    struct formula compiled;
    int column, any = 0;
    for (int d = 0; d < 3; ++d) {
        if (!along[d] || d == face / 2) continue;
        any |= scalar_by_table(in, n, face) && in->scalars.face_along[face][n] == d;
        any |= scalar_by_formula(in, n, face) &&
               formula_parse(in->scalars.face_formula[face][n], FORMULA_OF_FACE, &compiled, &column, fault) &&
               formula_has(&compiled, FORMULA_X + d);
    }
    return any;
}

struct scalar_ranges scalar_ranges_of(const struct input *in)
{
    struct scalar_ranges r;
    for (int f = 0; f < 6; ++f)
        for (int n = 0; n < SCALARS_MOST; ++n)
            r.of[f][n] = (struct scalar_range){in->scalars.face_value[f][n], in->scalars.face_value[f][n]};
    return r;
}

void scalar_unit(const char *own, int power, const char *rest, char *text, size_t size)
{
    int parts = 0; /* what is no letter, such as / or a digit */
    for (const char *c = own; *c != '\0'; ++c) parts += *c > 0 && !isalpha((unsigned char)*c);
    const int none = power <= 0 || strcmp(own, "1") == 0;
    const char *gap = rest[0] != '\0' ? " " : "";
    if (none) snprintf(text, size, "%s", rest[0] != '\0' ? rest : "1");
    else if (power == 1) snprintf(text, size, "%.40s%s%s", own, gap, rest);
    else snprintf(text, size, parts > 0 ? "(%.40s)^%d%s%s" : "%.40s%d%s%s", own, power, gap, rest);
}
