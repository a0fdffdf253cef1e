/* Sets the initial flow 'channel': the laminar flow along walls, with vortices, waves and noise that make
 * it turn turbulent. */
#include "initial.h"

#include <math.h>
#include <stdlib.h>
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "boundary/boundary.h"
#include "step/force.h"
#include "boundary/inflow.h"
#include "kernels/base/constants.h"
#include "math/laminar_profile.h"
#include "math/random.h"

/* NOISE: amplitude of the random part of the disturbances; WAVES: that of the waves. */
static const double NOISE = 0.1, WAVES = 0.5;

/* channel: the directions along the stream, across it and from wall to wall, and the scales of the flow. A
 * duct has walls across the stream, too. */
struct channel {
    int stream, span, normal, duct;
    double speed, disturbance; /* [U] */
    double alpha, beta;        /* wavenumbers along stream and span [1/L] */
    double height, width;      /* along normal and span [L] */
    double flow;               /* bulk velocity that remains when the motion of the walls is taken away [U] */
    double velocity[2][3];     /* velocities of the walls [U]; the walls of a duct are at rest */
    struct laminar_section section;
    double middle[2]; /* place of the largest laminar velocity, along normal and span [L] */
};

static int wall_direction(const struct input *in)
{
    const int f = faces_first(in, face_is_wall);
    return f == FACES_NONE ? Z : f / 2;
}

/* Half the side of struct laminar_section in direction d, and the place of the middle. */
static double half_side(const struct input *in, int d, double *middle)
{
    const int low = face_is_noslip(in, 2 * d), high = face_is_noslip(in, 2 * d + 1);
    const double length = in->grid.length[d];
    *middle = low && high ? length / 2 : low ? length : 0;
    return low && high ? length / 2 : low || high ? length : 0;
}

/* The wavenumber of a whole number of waves in the box, whose length is about `length`. */
static double wavenumber(double box, double length)
{
    return 2 * PI * fmax(1, round(box / length)) / box;
}

/* Finds the velocity scale of the flow, and its bulk velocity without `walls`, the part that the motion of
 * the walls explains. Forces and inflows determine its sign. */
static void drive(const struct flow *flow, double walls, struct channel *c)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    const int inflow = channel_inflow(in);
    const double moving = boundary_speed(flow->domain), still = in->initial.amplitude,
                 force = in->forcing.value != 0 ? in->forcing.value : force_value(in, 0);
    if (drive_holds_bulk_velocity(in)) {
        c->speed = drive_most(in);
        c->flow = force_value(in, 0) - walls;
    } else if (inflow >= 0) {
        const double inward = inflow % 2 ? -1 : 1; /* planes in time have no single mean velocity */
        const double brought = face_has_inflow_planes(in, inflow) ? inward : flow->inflow_mean[inflow],
                     mean = still > 0 ? copysign(still, brought) : brought;
        c->speed = fmax(moving, fabs(mean));
        c->flow = mean - walls;
    } else {
        c->speed = moving > 0 ? moving : still;
        c->flow = drive_gives_force(in) && force < 0 ? -c->speed : c->speed;
        if (!drive_has_force(in) && moving > 0) c->flow = 0;
    }
}

static struct channel channel_of(const struct flow *flow)
{
    const struct domain *domain = flow->domain;
    const struct input *in = domain->in;
    struct channel c = {.normal = wall_direction(in)};
    c.stream = channel_stream(in);
    c.span = X + Y + Z - c.normal - c.stream;
    c.duct = direction_has_wall(in, c.span);
    c.height = in->grid.length[c.normal];
    c.width = in->grid.length[c.span];
    for (int side = 0; side < 2 && !c.duct; ++side)
        for (int a = 0; a < 3 && face_is_noslip(in, 2 * c.normal + side); ++a)
            c.velocity[side][a] = in->boundary.velocity[2 * c.normal + side][a];
    for (int d = 0; d < 2; ++d) c.section.half[d] = half_side(in, d ? c.span : c.normal, &c.middle[d]);
    drive(flow, 0.5 * (c.velocity[0][c.stream] + c.velocity[1][c.stream]), &c);
    c.disturbance = in->initial.disturbance * c.speed;
    c.alpha = wavenumber(in->grid.length[c.stream], 2 * c.height);
    c.beta = wavenumber(in->grid.length[c.span], c.height);
    return c;
}

/* The laminar profile with mean 1, over the own cells of the section; the normal direction is fastest. */
static double *profile(const struct domain *domain, const struct channel *c)
{
    const int n = domain->decomp.n[c->normal], rows = c->duct ? domain->decomp.n[c->span] : 1;
    const double *x = domain->grid.centre[c->normal] + domain->decomp.offset[c->normal],
                 *z = domain->grid.centre[c->span] + domain->decomp.offset[c->span],
                 mean = laminar_mean(c->section);
    double *value = malloc((size_t)n * (size_t)rows * sizeof *value);
    for (int row = 0; row < rows && value != NULL; ++row) {
        for (int i = 0; i < n; ++i) {
            const double y[2] = {x[i] - domain->grid.origin[c->normal] - c->middle[0],
                                 z[row] - domain->grid.origin[c->span] - c->middle[1]};
            value[row * n + i] = laminar_velocity(c->section, y) / mean;
        }
    }
    return value;
}

/* Disturbances whose divergence is zero except for the noise: streamwise vortices, and waves along the stream
 * that bend them. x, z: coordinates along stream and span [L]. */
static double disturbance(const struct channel *c, int component, double s, double x, double z)
{
    const double sine = sin(PI * s), near = sine * sine, slope = PI / c->height * sin(2 * PI * s);
    if (component == c->normal) return near * (cos(c->beta * z) + WAVES * cos(c->alpha * x));
    if (component == c->span) return -slope / c->beta * sin(c->beta * z) + WAVES * near * cos(c->alpha * x);
    return -WAVES * slope / c->alpha * sin(c->alpha * x);
}

/* The same in a duct: streamwise vortices that fill it unevenly, and two waves that bend them. t: coordinate
 * along the span, over the width. */
static double duct_disturbance(const struct channel *c, int component, double s, double t, double x)
{
    static const double LAG = 1; /* of the second wave [rad] */
    const double a = sin(PI * s), b = sin(PI * t), near = a * a * b * b,
                 uneven = 1 + cos(PI * s) + cos(PI * t), scale = fmin(c->height, c->width) / (2 * PI);
    const double slope_s = PI / c->height * sin(2 * PI * s) * b * b,
                 slope_t = PI / c->width * sin(2 * PI * t) * a * a; /* of near */
    if (component == c->normal)
        return scale * (slope_t * uneven - near * PI / c->width * b) + WAVES * near * cos(c->alpha * x);
    if (component == c->span)
        return -scale * (slope_s * uneven - near * PI / c->height * a) +
               WAVES * near * cos(c->alpha * x + LAG);
    return -WAVES / c->alpha * (slope_s * sin(c->alpha * x) + slope_t * sin(c->alpha * x + LAG));
}

static double noise(const struct domain *domain, int component, const int n[3])
{
    const uint32_t counter[4] = {(uint32_t)n[X], (uint32_t)n[Y], (uint32_t)n[Z], (uint32_t)component};
    const uint32_t key[2] = {(uint32_t)domain->in->run.seed, 0x6b6f6c6du};
    uint32_t word[4];
    random_philox(counter, key, word);
    return 2 * random_unit(word[0]) - 1;
}

/* Returns the velocity that moving walls carry along: linear between the walls. */
static double carried(const struct channel *c, int component, const double x[3])
{
    const double s = x[c->normal] / c->height;
    return (1 - s) * c->velocity[0][component] + s * c->velocity[1][component];
}

/* Waves and noise. */
static double disturbed(const struct domain *domain, const struct channel *c, int component, const int n[3],
                        const double x[3])
{
    const double s = x[c->normal] / c->height, t = x[c->span] / c->width, a = sin(PI * s),
                 b = c->duct ? sin(PI * t) : 1;
    const double waves = c->duct ? duct_disturbance(c, component, s, t, x[c->stream])
                                 : disturbance(c, component, s, x[c->stream], x[c->span]);
    return waves + NOISE * a * a * b * b * noise(domain, component, n);
}

kol_status initial_channel(const struct flow *flow, int component, double *value)
{
    const struct domain *domain = flow->domain;
    const struct grid *g = &domain->grid;
    const struct channel c = channel_of(flow);
    const int *o = domain->decomp.offset;
    double *laminar = profile(domain, &c);
    if (laminar == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the laminar profile");
    for (int k = 0; k < g->box.nz; ++k) {
        for (int j = 0; j < g->box.ny; ++j) {
            for (int i = 0; i < g->box.nx; ++i) {
                const int n[3] = {o[X] + i, o[Y] + j, o[Z] + k};
                double x[3];
                for (int d = 0; d < 3; ++d)
                    x[d] = (d == component ? g->face[d][n[d]] : g->centre[d][n[d]]) - g->origin[d];
                const int own[3] = {i, j, k};
                double u = carried(&c, component, x) + c.disturbance * disturbed(domain, &c, component, n, x);
                if (component == c.stream)
                    u += c.flow *
                         laminar[own[c.normal] + (c.duct ? own[c.span] * domain->decomp.n[c.normal] : 0)];
                *value++ = u;
            }
        }
    }
    free(laminar);
    return KOL_OK;
}

double initial_channel_speed(const struct flow *flow, int component)
{
    const struct channel c = channel_of(flow);
    const double walls = fmax(fabs(c.velocity[0][component]), fabs(c.velocity[1][component]));
    const double peak = c.duct ? 2.1 : 1.5; /* largest over mean velocity: square duct, parabola */
    return (component == c.stream ? peak * fabs(c.flow) : 0) + walls + 1.5 * c.disturbance;
}
