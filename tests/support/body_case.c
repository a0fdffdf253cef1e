/* Random bodies and a slow inside test for tests of the geometry of bodies. */
#include "body_case.h"

#include <math.h>
#include <string.h>

#include "kernels/base/constants.h"
#include "inputs/face_kinds.h"

void body_case_input(struct input *in, const int n[3], const int periodic[3], int stretched)
{
    static const double length[3] = {1.3, 1.1, 1.7}, origin[3] = {-0.4, 0.3, 0.1};
    memset(in, 0, sizeof *in);
    for (int d = 0; d < 3; ++d) {
        in->grid.n[d] = n[d];
        in->grid.length[d] = length[d];
        in->grid.origin[d] = origin[d];
        in->grid.stretching[d] = !stretched    ? STRETCHING_UNIFORM
                                 : periodic[d] ? STRETCHING_SINE
                                               : STRETCHING_TANH;
        in->grid.stretching_factor[d] = !stretched ? 0 : periodic[d] ? 0.4 : 1.1;
        for (int side = 0; side < 2; ++side)
            in->boundary.face[2 * d + side] = periodic[d] ? BOUNDARY_PERIODIC : BOUNDARY_WALL;
    }
    for (int b = 0; b < BODIES_MOST; ++b) {
        in->bodies.axis[b] = 2;
        in->bodies.remove_time[b] = -1;
        for (int d = 0; d < 3; ++d) in->bodies.centre[b][d] = INPUT_NOWHERE;
    }
    in->bodies_list.remove_time = in->packing.remove_time = -1;
}

int body_case_add(struct input *in, int shape, const double centre[3], const double size[3])
{
    int b = 0;
    while (in->bodies.shape[b] != SHAPE_NONE) ++b;
    in->bodies.shape[b] = shape;
    memcpy(in->bodies.centre[b], centre, sizeof in->bodies.centre[b]);
    memcpy(in->bodies.size[b], size, sizeof in->bodies.size[b]);
    return b;
}

double body_case_unit(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* Makes a half space whose normal, and whose waves, suit the periodic directions. */
static void random_half_space(struct input *in, unsigned *seed, int b)
{
    int walls[3], count = 0;
    for (int d = 0; d < 3; ++d)
        if (!direction_is_periodic(in, d)) walls[count++] = d;
    if (count == 0) {
        in->bodies.shape[b] = SHAPE_SPHERE;
        in->bodies.size[b][1] = 0;
        return;
    }
    const int axis = walls[(int)(body_case_unit(seed) * count)], along = (axis + 1) % 3;
    in->bodies.axis[b] = axis;
    for (int d = 0; d < 3; ++d) in->bodies.angles[b][d] = 0;
    in->bodies.centre[b][axis] = in->grid.origin[axis] + 0.3 * body_case_unit(seed);
    if (count == 3)
        for (int d = 0; d < 3; ++d) in->bodies.angles[b][d] = 90 * body_case_unit(seed) - 45;
    else if (body_case_unit(seed) < 0.3) in->bodies.angles[b][along] = 180;
    if (in->bodies.shape[b] != SHAPE_WAVE) return;
    in->bodies.size[b][0] = 0.02 + 0.08 * body_case_unit(seed);
    in->bodies.size[b][1] = in->grid.length[along] / (1 + (int)(3 * body_case_unit(seed)));
}

void body_case_random(struct input *in, unsigned *seed, int count)
{
    for (int n = 0; n < count; ++n) {
        double centre[3], size[3] = {0};
        const int shape = SHAPE_BOX + (int)(body_case_unit(seed) * 8);
        for (int d = 0; d < 3; ++d)
            centre[d] = in->grid.origin[d] + in->grid.length[d] * body_case_unit(seed);
        for (int e = 0; e < 3; ++e) size[e] = 0.15 + 0.7 * body_case_unit(seed);
        if (shape == SHAPE_CAPSULE) size[1] = size[0] + 0.5 * body_case_unit(seed);
        if (shape == SHAPE_TORUS) size[1] = size[0] * (0.2 + 0.6 * body_case_unit(seed));
        const int b = body_case_add(in, shape, centre, size);
        in->bodies.axis[b] = (int)(3 * body_case_unit(seed));
        const int turned = body_case_unit(seed) < 0.7, endless = body_case_unit(seed) < 0.3;
        for (int d = 0; d < 3 && turned; ++d) in->bodies.angles[b][d] = 360 * body_case_unit(seed) - 180;
        if (endless && !turned && (shape == SHAPE_CYLINDER || shape == SHAPE_CAPSULE))
            in->bodies.size[b][1] = 0;
        if (shape == SHAPE_PLANE || shape == SHAPE_WAVE) random_half_space(in, seed, b);
        if (n > 0 && body_case_unit(seed) < 0.4)
            in->bodies.operation[b] = body_case_unit(seed) < 0.7 ? OPERATION_CUT : OPERATION_INTERSECT;
    }
}

kol_status body_case_domain(const struct input *in, const struct comm *c, const int layout[3],
                            struct domain *out)
{
    memset(out, 0, sizeof *out);
    out->in = in;
    out->comm = *c;
    TRY(decomp_create(in->grid.n, layout, c->size, c->rank, &out->decomp));
    return grid_create(in, &out->decomp, &out->grid);
}

void body_case_close(struct domain *d)
{
    grid_destroy(&d->grid);
}

/* Undoes the rotations one after another, then asks whether f(x) <= 0. Returns f, which is below 0 inside. */
static double formula(const struct input *in, int b, const double x[3])
{
    const double *size = in->bodies.size[b], *angle = in->bodies.angles[b];
    const int a = in->bodies.axis[b], p = (a + 1) % 3, q = (a + 2) % 3;
    double r[3];
    for (int d = 0; d < 3; ++d) r[d] = x[d] - in->bodies.centre[b][d];
    for (int d = 2; d >= 0; --d) {
        const int m = (d + 1) % 3, n = (d + 2) % 3;
        const double c = cos(angle[d] * PI / 180), s = sin(angle[d] * PI / 180), rm = r[m];
        r[m] = c * rm + s * r[n];
        r[n] = c * r[n] - s * rm;
    }
    const double round = hypot(r[p], r[q]);
    switch (in->bodies.shape[b]) {
    case SHAPE_BOX:
        return fmax(fabs(r[0]) - size[0] / 2, fmax(fabs(r[1]) - size[1] / 2, fabs(r[2]) - size[2] / 2));
    case SHAPE_SPHERE:
        return hypot(round, r[a]) - size[0] / 2;
    case SHAPE_ELLIPSOID:
        return 4 * (pow(r[0] / size[0], 2) + pow(r[1] / size[1], 2) + pow(r[2] / size[2], 2)) - 1;
    case SHAPE_CYLINDER:
        return fmax(round - size[0] / 2, size[1] > 0 ? fabs(r[a]) - size[1] / 2 : -1);
    case SHAPE_CAPSULE: {
        const double end = (size[1] - size[0]) / 2, tube = fmax(round - size[0] / 2, fabs(r[a]) - end);
        if (size[1] == 0) return round - size[0] / 2;
        return fmin(tube, fmin(hypot(round, r[a] - end), hypot(round, r[a] + end)) - size[0] / 2);
    }
    case SHAPE_PLANE:
        return r[a];
    case SHAPE_TORUS:
        return hypot(round - size[0] / 2, r[a]) - size[1] / 2;
    default:
        return r[a] - size[0] * cos(2 * PI * r[p] / size[1]);
    }
}

/* Of the images of a body the one with the smallest f. */
static double smallest(const struct input *in, int b, const double x[3])
{
    enum { PERIODS = 1 };
    int most[3], m[3];
    double least = HUGE_VAL;
    for (int d = 0; d < 3; ++d) most[d] = direction_is_periodic(in, d) ? PERIODS : 0;
    for (m[0] = -most[0]; m[0] <= most[0]; ++m[0])
        for (m[1] = -most[1]; m[1] <= most[1]; ++m[1])
            for (m[2] = -most[2]; m[2] <= most[2]; ++m[2]) {
                double y[3];
                for (int d = 0; d < 3; ++d) y[d] = x[d] + m[d] * in->grid.length[d];
                least = fmin(least, formula(in, b, y));
            }
    return least;
}

int body_case_solid(const struct input *in, const double x[3], double skin)
{
    int solid = 0, unsure = 0;
    for (int b = 0; b < BODIES_MOST; ++b) {
        if (in->bodies.shape[b] == SHAPE_NONE) continue;
        const double f = smallest(in, b, x);
        const int inside = f < 0;
        unsure |= fabs(f) < skin;
        if (in->bodies.operation[b] == OPERATION_ADD) solid |= inside;
        else if (in->bodies.operation[b] == OPERATION_CUT) solid &= !inside;
        else solid &= inside;
    }
    return unsure ? -1 : solid;
}
