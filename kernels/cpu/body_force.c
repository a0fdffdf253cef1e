/* Sums the force and the torque of the fluid on bodies. */
#include "../body_force.h"
#include "../point/body_force.h"

static void clear(double sum[BODY_FORCES])
{
    for (int q = 0; q < BODY_FORCES; ++q) sum[q] = 0;
}

kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s, real nu,
                            real *const vel[3], int keep, double a, double a_old, double *before,
                            double *total)
{
    for (int n = 0; n < s.segments; ++n) {
        double sum[BODY_FORCES], *const old = before + (ptrdiff_t)n * BODY_FORCES,
                                        *const to = total + (ptrdiff_t)n * BODY_FORCES;
        clear(sum);
        for (int l = s.link_start[n]; l < s.link_start[n + 1]; ++l)
            point_force_rates(b, m, point_link_at(s.links, l), nu, vel[X], vel[Y], vel[Z], sum);
        for (int q = 0; q < BODY_FORCES; ++q) {
            to[q] = point_force_stage(keep, to[q], a, sum[q], a_old, old[q]);
            old[q] = sum[q];
        }
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
            const struct body_link link = point_link_at(s.links, l);
            const struct link_points p = {points[(int)link.d].base, points[(int)link.d].lead};
            point_force_drag(b, m, link, p, dts, vel[(int)link.d], sum);
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
