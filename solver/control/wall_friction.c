/* Computes the friction of a flow along walls: laminar, or as correlations expect it. */
#include "wall_friction.h"

#include <math.h>
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "kernels/base/types.h"

/* Lowest Reynolds numbers of lasting turbulence: Pope (2000), section 7.1.5, for the channel; for Couette
 * flow Tillmark and Alfredsson (1992) say 360, others 325. */
static const double CHANNEL_LEAST = 1350, COUETTE_LEAST = 325;
static const double DEAN = 0.09, DEAN_POWER = 0.88, ROBERTSON = 0.19;

/* Laminar friction of the two walls of one direction on the fluid. */
static void laminar_pair(const struct wall_flow *s, double nu, double bulk, double stress[2])
{
    const double step = s->speed[1] - s->speed[0], over = bulk - 0.5 * (s->speed[0] + s->speed[1]);
    stress[0] = -nu * (step + 6 * over) / s->gap;
    stress[1] = nu * (step - 6 * over) / s->gap;
}

double wall_friction_laminar(const struct wall_flow *s, double nu, double bulk)
{
    double stress[2];
    if (s->normals == 2 || !s->wall[0] || !s->wall[1]) {
        const double still = s->wall[0] ? s->speed[0] : s->speed[1];
        return nu * fabs(bulk - still) * s->radius / laminar_mean(s->section);
    }
    laminar_pair(s, nu, bulk, stress);
    return 0.5 * (fabs(stress[0]) + fabs(stress[1]));
}

/* One direction across the stream. */
static void across(const struct input *in, int d, struct wall_flow *s, double *area)
{
    const double length = in->grid.length[d];
    const int low = face_is_noslip(in, 2 * d), high = face_is_noslip(in, 2 * d + 1);
    if (!low && !high) return;
    if (s->normals == 0) {
        s->gap = length;
        for (int side = 0; side < 2; ++side) {
            s->wall[side] = side ? high : low;
            s->speed[side] = s->wall[side] ? in->boundary.velocity[2 * d + side][s->stream] : 0;
        }
    }
    s->section.half[s->normals] = low && high ? length / 2 : length;
    s->delta = fmin(s->delta, s->section.half[s->normals]);
    s->normal[s->normals++] = d;
    *area += (low + high) / length;
}

/* The laminar stresses are those of no-slip walls and planes of symmetry. */
static int estimated(const struct input *in)
{
    for (int f = 0; f < FACES; ++f)
        if (face_has_friction(in, f) && !face_is_noslip(in, f)) return 0;
    return 1;
}

int wall_friction_flow(const struct input *in, struct wall_flow *s)
{
    double area = 0; /* over the volume */
    const char *remedy;
    *s = (struct wall_flow){.stream = stream_direction(in), .delta = INFINITY};
    if (stream_obstacle(in, &remedy) != 0 || !estimated(in)) return 0;
    for (int d = X; d <= Z; ++d)
        if (d != s->stream) across(in, d, s, &area);
    s->radius = 1 / area;
    return 1;
}

int wall_friction_inflow(const struct input *in, struct wall_flow *s)
{
    double area = 0;
    *s = (struct wall_flow){.stream = inflow_stream(in), .delta = INFINITY};
    if (s->stream < 0 || !(in->fluid.re_tau > 0)) return 0;
    for (int d = X; d <= Z; ++d)
        if (d != s->stream) across(in, d, s, &area);
    s->radius = 1 / area;
    return 1;
}

static double bulk_friction(const struct wall_flow *s, double nu, double bulk, int *turbulent)
{
    const double re = 2 * s->radius * fabs(bulk) / nu;
    *turbulent = re >= CHANNEL_LEAST;
    if (!*turbulent) return sqrt(wall_friction_laminar(s, nu, bulk));
    return DEAN * pow(re, DEAN_POWER) * nu / s->radius;
}

/* Friction of a flow driven by a given power: the bulk velocity at which force and friction balance. */
static double power_friction(const struct wall_flow *s, double nu, double power, int *turbulent)
{
    enum { ITERATIONS = 100 };
    double bulk = cbrt(fabs(power) * s->radius / 0.004); /* u_tau^2 = 0.004 U^2 */
    for (int i = 0; i < ITERATIONS; ++i) {
        const double u = bulk_friction(s, nu, bulk, turbulent);
        /* u^2 U = power radius; the mean of the logarithms makes this iteration converge */
        bulk = sqrt(bulk * fabs(power) * s->radius / (u * u));
    }
    return bulk_friction(s, nu, bulk, turbulent);
}

static double couette_friction(const struct wall_flow *s, double nu, int *turbulent)
{
    const double step = fabs(s->speed[1] - s->speed[0]), re = step / 2 * s->delta / nu;
    *turbulent = re >= COUETTE_LEAST;
    if (!*turbulent) return sqrt(nu * step / s->gap);
    return ROBERTSON / log10(re) * step / 2;
}

double wall_friction_expected(const struct input *in, const struct wall_flow *s, const char **by,
                              int *turbulent)
{
    const double nu = in->fluid.nu, value = in->forcing.value;
    const double still = 0.5 * (s->speed[0] + s->speed[1]);
    double u = 0;
    *turbulent = 1;
    *by = "not known";
    if (nu == 0) return 0;
    if (in->fluid.re_tau > 0) {
        *by = "fluid.re_tau";
        return in->fluid.re_tau * nu / s->delta;
    }
    if (stream_turned(in)) return 0; /* from here on the friction on the walls must point along the stream */
    if (drive_gives_force(in) && value != 0) {
        *by = "the balance with the pressure gradient";
        u = sqrt(fabs(value) * s->radius);
        *turbulent = u * s->radius / nu >= DEAN * pow(CHANNEL_LEAST, DEAN_POWER);
    } else if (drive_holds_bulk_velocity(in) && value != still) {
        u = bulk_friction(s, nu, value - still, turbulent);
        *by = *turbulent ? "Dean (1978)" : "the laminar profile";
    } else if (drive_holds_power(in) && value != 0) {
        u = power_friction(s, nu, value, turbulent);
        *by = *turbulent ? "Dean (1978)" : "the laminar profile";
    } else if (!drive_has_force(in) && s->wall[0] && s->wall[1] && s->speed[0] != s->speed[1]) {
        u = couette_friction(s, nu, turbulent);
        *by = *turbulent ? "Robertson (1959)" : "the linear profile";
    }
    return u;
}
