/* Keeps the force at each point of the surface of bodies. */
#include "../body_stress.h"
#include "../point/body_force.h"

kol_status body_stress_rates(struct box b, struct metrics m, struct body_items s,
                             const struct body_points points[3], real nu, real *const vel[3], int keep,
                             double a, double a_old, double *before, double *total)
{
    for (int l = 0; l < s.links; ++l) {
        const struct body_link link = s.link[l];
        const struct link_force f =
            point_link_force(b, m, link, points[(int)link.d], nu, vel[X], vel[Y], vel[Z]);
        const double rate = f.viscous + f.convective, old = a_old != 0 ? a_old * before[l] : 0;
        total[l] = (keep ? total[l] : 0) + (a * rate + old);
        before[l] = rate;
    }
    for (ptrdiff_t n = s.links; n < body_stress_values(s) && !keep; ++n) total[n] = 0;
    return KOL_OK;
}

kol_status body_stress_drag(struct box b, struct metrics m, struct body_items s,
                            const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    for (int l = 0; l < s.links; ++l) {
        const struct body_link link = s.link[l];
        total[l] += point_link_drag(b, m, link, points[(int)link.d], dts, vel[(int)link.d]);
    }
    return KOL_OK;
}

kol_status body_stress_pressure(struct box b, struct body_items s, real dts, const real *p, const real *phi,
                                double *total)
{
    for (int f = 0; f < s.fronts; ++f) {
        double *side = total + s.links + 2 * (ptrdiff_t)f;
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
