/* Sums the force and the torque of the fluid on bodies. */
#include "../body_force.h"
#include "../point/body_force.h"

static void clear(double sum[BODY_FORCES])
{
    for (int q = 0; q < BODY_FORCES; ++q) sum[q] = 0;
}

kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s,
                            const struct body_points points[3], real nu, real *const vel[3], double *rates)
{
    for (int n = 0; n < s.segments; ++n) {
        double *sum = rates + (ptrdiff_t)n * BODY_FORCES;
        clear(sum);
        for (int l = s.link_start[n]; l < s.link_start[n + 1]; ++l)
            point_force_rates(b, m, s.link[l], points[(int)s.link[l].d], nu, vel[X], vel[Y], vel[Z], sum);
    }
    return KOL_OK;
}

kol_status body_force_add(int n, int keep, double a, double a_old, const double *rates, double *before,
                          double *total)
{
    for (int q = 0; q < n; ++q) {
        const double start = keep ? total[q] : 0, old = a_old != 0 ? a_old * before[q] : 0;
        total[q] = start + (a * rates[q] + old);
        before[q] = rates[q];
    }
    return KOL_OK;
}

kol_status body_force_drag(struct box b, struct metrics m, struct body_surface s,
                           const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    for (int n = 0; n < s.segments; ++n) {
        double sum[BODY_FORCES];
        clear(sum);
        for (int l = s.link_start[n]; l < s.link_start[n + 1]; ++l) {
            const struct body_link link = s.link[l];
            point_force_drag(b, m, link, points[(int)link.d], dts, vel[(int)link.d], sum);
        }
        for (int q = 0; q < BODY_FORCES; ++q) total[(ptrdiff_t)n * BODY_FORCES + q] += sum[q];
    }
    return KOL_OK;
}

kol_status body_force_pressure(struct box b, struct metrics m, struct body_surface s, real dts, const real *p,
                               const real *phi, double *total)
{
    for (int n = 0; n < s.segments; ++n) {
        double sum[BODY_FORCES];
        clear(sum);
        for (int f = s.front_start[n]; f < s.front_start[n + 1]; ++f)
            point_force_pressure(b, m, s.front[f], dts, p, phi, sum);
        for (int q = 0; q < BODY_FORCES; ++q) total[(ptrdiff_t)n * BODY_FORCES + q] += sum[q];
    }
    return KOL_OK;
}
