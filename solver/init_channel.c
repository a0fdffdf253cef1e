#include "init.h"

#include <math.h>
#include "boundary.h"
#include "forcing.h"
#include "random.h"

static const double PI = 3.14159265358979323846;
/* Random part of the disturbances; the rest are waves. */
static const double NOISE = 0.1, WAVES = 0.5;

/* channel: directions along the stream, across it and from wall to wall, and scales. */
struct channel {
    int stream, span, normal;
    double speed, disturbance; /* [U] */
    double alpha, beta;        /* wavenumbers along stream and span [1/L] */
    double height,
        flow; /* between the walls [L]; volume mean of the part that the walls' motion does not explain [U] */
    double velocity[2][3]; /* of the walls [U] */
    int slip[2];
};

static int wall_direction(const struct input *in)
{
    int d = X;
    while (d < Z && in->boundary.face[2 * d] == BOUNDARY_PERIODIC) ++d;
    return d;
}

/* A whole number of waves whose length is about `length`. */
static double wavenumber(double box, double length)
{
    return 2 * PI * fmax(1, round(box / length)) / box;
}

static struct channel channel_of(const struct input *in)
{
    struct channel c = {.normal = wall_direction(in)};
    const int forced = in->forcing.type != FORCING_NONE, bulk = in->forcing.type == FORCING_BULK_VELOCITY;
    c.stream = forced ? in->forcing.direction : c.normal == X ? Y : X;
    c.span = X + Y + Z - c.normal - c.stream;
    c.height = in->grid.length[c.normal];
    for (int side = 0; side < 2; ++side) {
        const int f = 2 * c.normal + side;
        c.slip[side] = in->boundary.face[f] == BOUNDARY_SLIP;
        for (int a = 0; a < 3; ++a) c.velocity[side][a] = in->boundary.velocity[f][a];
    }
    const double moving = boundary_speed(in),
                 carried = 0.5 * (c.velocity[0][c.stream] + c.velocity[1][c.stream]);
    c.speed = bulk         ? fabs(in->forcing.value) + fabs(in->forcing.amplitude)
              : moving > 0 ? moving
                           : in->initial.amplitude;
    c.flow = bulk ? forcing_value(in, 0) - carried : moving > 0 && !forced ? 0 : c.speed;
    c.disturbance = in->initial.disturbance * c.speed;
    c.alpha = wavenumber(in->grid.length[c.stream], 2 * c.height);
    c.beta = wavenumber(in->grid.length[c.span], c.height);
    return c;
}

/* Laminar profile of mean 1 at s = 0 .. 1 of the height. */
static double profile(const struct channel *c, double s)
{
    if (c->slip[0] && c->slip[1]) return 1;
    if (c->slip[0]) return 1.5 * (1 - s * s);
    if (c->slip[1]) return 1.5 * (1 - (1 - s) * (1 - s));
    return 6 * s * (1 - s);
}

/* Disturbances without divergence but for the noise: streamwise vortices, and waves along the stream that bend them. x, z along stream
 * and span [L]. */
static double disturbance(const struct channel *c, int component, double s, double x, double z)
{
    const double sine = sin(PI * s), near = sine * sine, slope = PI / c->height * sin(2 * PI * s);
    if (component == c->normal) return near * (cos(c->beta * z) + WAVES * cos(c->alpha * x));
    if (component == c->span) return -slope / c->beta * sin(c->beta * z) + WAVES * near * cos(c->alpha * x);
    return -WAVES * slope / c->alpha * sin(c->alpha * x);
}

static double noise(const struct run *run, int component, const int n[3])
{
    const uint32_t counter[4] = {(uint32_t)n[X], (uint32_t)n[Y], (uint32_t)n[Z], (uint32_t)component};
    const uint32_t key[2] = {(uint32_t)run->in.run.seed, 0x6b6f6c6du};
    uint32_t word[4];
    random_philox(counter, key, word);
    return 2 * random_unit(word[0]) - 1;
}

void init_channel(const struct run *run, int component, double *value)
{
    const struct grid *g = &run->grid;
    const struct channel c = channel_of(&run->in);
    const int *o = run->decomp.offset;
    for (int k = 0; k < g->box.nz; ++k) {
        for (int j = 0; j < g->box.ny; ++j) {
            for (int i = 0; i < g->box.nx; ++i) {
                const int n[3] = {o[X] + i, o[Y] + j, o[Z] + k};
                double x[3];
                for (int d = 0; d < 3; ++d)
                    x[d] = (d == component ? g->face[d][n[d]] : g->centre[d][n[d]]) - g->origin[d];
                const double s = x[c.normal] / c.height, sine = sin(PI * s);
                double u = (1 - s) * c.velocity[0][component] + s * c.velocity[1][component];
                if (component == c.stream) u += c.flow * profile(&c, s);
                u += c.disturbance * (disturbance(&c, component, s, x[c.stream], x[c.span]) +
                                      NOISE * sine * sine * noise(run, component, n));
                *value++ = u;
            }
        }
    }
}

double init_channel_speed(const struct input *in, int component)
{
    const struct channel c = channel_of(in);
    const double walls = fmax(fabs(c.velocity[0][component]), fabs(c.velocity[1][component]));
    return (component == c.stream ? 1.5 * fabs(c.flow) : 0) + walls + 1.5 * c.disturbance;
}
