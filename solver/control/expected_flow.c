/* Estimates the speeds of the developed flow along walls and in a forced box. */
#include "expected_flow.h"

#include <math.h>
#include "inputs/box_forecast.h"
#include "inputs/drives.h"
#include "wall_friction.h"

static const double KARMAN = 0.41, LOG_CONSTANT = 5.8, PEAK = 1.05, ACROSS = 5;

/* Largest speed along the stream; 0: not known. Walls that move alike make a frame that moves. */
static double largest_speed(const struct input *in, const struct wall_flow *s, double u_tau, int turbulent)
{
    const double low = s->speed[s->wall[0] ? 0 : 1], high = s->speed[s->wall[1] ? 1 : 0], nu = in->fluid.nu;
    const double over =
        in->forcing.type == FORCING_BULK_VELOCITY ? in->forcing.value - low : in->forcing.value;
    double peak;
    if (!drive_has_force(in)) return fmax(fabs(low), fabs(high));
    if (low != high) return 0;
    if (turbulent) peak = PEAK * u_tau * (log(u_tau * s->delta / nu) / KARMAN + LOG_CONSTANT);
    else peak = (s->normals == 2 ? 2.1 : 1.5) * u_tau * u_tau / wall_friction_laminar(s, nu, low + 1);
    return low == 0 ? peak : fmax(fabs(low), fabs(low + copysign(peak, over)));
}

/* The largest speed of a Gaussian field lies near four standard deviations, and it is not in all components
 * at once (initial_courant_estimate()). */
static const double LARGEST = 4, AT_ONCE = 2.5;

static double forced_box_courant(const struct domain *domain, double *speed)
{
    const double *width = domain->grid.narrowest, u = box_forecast_make(domain->in).speed;
    *speed = LARGEST * u;
    return AT_ONCE * u * (1 / width[X] + 1 / width[Y] + 1 / width[Z]);
}

double expected_flow_courant(const struct domain *domain, double *speed)
{
    const struct input *in = domain->in;
    const struct grid *g = &domain->grid;
    struct wall_flow s;
    const char *by;
    int turbulent;
    *speed = 0;
    if (drive_forces_box(in) && box_is_cube(in) && in->fluid.nu > 0) return forced_box_courant(domain, speed);
    if (!wall_friction_flow(in, &s)) return 0;
    const double u_tau = wall_friction_expected(in, &s, &by, &turbulent);
    if (!(u_tau > 0)) return 0;
    *speed = largest_speed(in, &s, u_tau, turbulent);
    if (!(*speed > 0)) return 0;
    double sum = *speed / g->narrowest[s.stream];
    for (int d = X; d <= Z && turbulent; ++d) {
        int normal = 0;
        for (int n = 0; n < s.normals; ++n) normal |= s.normal[n] == d;
        if (d == s.stream) continue;
        sum += ACROSS * u_tau / (normal ? in->grid.length[d] / in->grid.n[d] : g->narrowest[d]);
    }
    return sum;
}
