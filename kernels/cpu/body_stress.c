/* Keeps the force at each point of the surface of bodies. */
#include "../body_stress.h"
#include "../point/body_force.h"

kol_status body_stress_rates(struct box b, struct metrics m, struct body_items s, real nu, real *const vel[3],
                             int keep, double a, double a_old, double *before, double *total)
{
    for (int l = 0; l < s.links.n; ++l) {
        const struct link_force f =
            point_link_force(b, m, point_link_at(s.links, l), nu, vel[X], vel[Y], vel[Z]);
        const double rate = f.viscous + f.convective;
        total[l] = point_force_stage(keep, total[l], a, rate, a_old, before[l]);
        before[l] = rate;
    }
    for (ptrdiff_t n = s.links.n; n < body_stress_values(s) && !keep; ++n) total[n] = 0;
    return KOL_OK;
}

kol_status body_stress_drag(struct box b, struct metrics m, struct body_items s,
                            const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    for (int l = 0; l < s.links.n; ++l) {
        const struct body_link link = point_link_at(s.links, l);
        const struct link_points p = {points[(int)link.d].base, points[(int)link.d].lead};
        total[l] += point_link_drag(b, m, link, p, dts, vel[(int)link.d]);
    }
    return KOL_OK;
}

kol_status body_stress_pressure(struct box b, struct body_items s, real dts, const real *p, const real *phi,
                                double *total)
{
    for (int f = 0; f < s.fronts; ++f) {
        double *side = total + s.links.n + 2 * (ptrdiff_t)f;
        side[0] += (double)dts * point_front_low(b, s.front[f], p, phi);
        side[1] += (double)dts * point_front_high(s.front[f], p, phi);
    }
    return KOL_OK;
}

kol_status body_stress_sum(ptrdiff_t n, const double *total, double *sum)
{
    for (ptrdiff_t i = 0; i < n; ++i) sum[i] += total[i];
    return KOL_OK;
}
