/* Estimates the speeds of the developed flow along walls. */
#include "expected_flow.h"

#include <math.h>
#include "inputs/drives.h"
#include "wall_friction.h"

static const double KARMAN = 0.41, LOG_CONSTANT = 5.8, PEAK = 1.05, ACROSS = 5;

/* Largest speed along the stream; 0: not known. */
static double largest_speed(const struct input *in, const struct wall_flow *s, double u_tau, int turbulent)
{
    const double wall = fmax(fabs(s->speed[0]), fabs(s->speed[1])), nu = in->fluid.nu;
    if (!drive_has_force(in)) return wall;
    if (wall > 0) return 0;
    if (turbulent) return PEAK * u_tau * (log(u_tau * s->delta / nu) / KARMAN + LOG_CONSTANT);
    return (s->normals == 2 ? 2.1 : 1.5) * u_tau * u_tau / wall_friction_laminar(s, nu, 1);
}

double expected_flow_courant(const struct domain *domain, double *speed)
{
    const struct input *in = domain->in;
    const struct grid *g = &domain->grid;
    struct wall_flow s;
    const char *by;
    int turbulent;
    *speed = 0;
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
