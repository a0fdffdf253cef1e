/* The force at each point of the surface of bodies: the same contributions as in body_force.h, but kept for
 * every link and every closed face instead of summed over segments. docs/numerics/bodies.md, "Surface data".
 *
 * The values of a stage are one array of body_stress_values() doubles in kernel memory:
 *
 *   total[l]                   momentum along d that has crossed link l [U L^3]
 *   total[links + 2 f + side]  pressure, times time, in the live cell below (side 0) and above (side 1)
 *                              closed face f; 0 if this cell is dead [U^2 T] */
#ifndef KOL_BODY_STRESS_H
#define KOL_BODY_STRESS_H

#include <stddef.h>
#include "body_force.h"

KOL_BEGIN_C

/* body_items: the links and closed faces of struct body_surface, without its segments. */
struct body_items {
    int fronts;
    struct body_links links;
    const struct body_front *front;
};

/* body_stress_values: returns the number of values. */
static inline ptrdiff_t body_stress_values(struct body_items s)
{
    return s.links.n + 2 * (ptrdiff_t)s.fronts;
}

/* body_stress_rates: begins the values of a stage. For each link it computes how fast momentum crosses it, by
 * the plain stencil, the explicit part of the viscous term and convection, and then
 *
 *     total = keep total + a rate + a_old before,   and then   before = rate.
 *
 * The pressures become keep times what they are. keep is 0 or 1; if it is 0, total is not read. If a_old is
 * 0, before is not read.
 *
 *   vel      velocity that the stage reads [U]; one halo layer, faces and edges
 *   before   links values [U^2 L^2] */
kol_status body_stress_rates(struct box b, struct metrics m, struct body_items s, real nu, real *const vel[3],
                             int keep, double a, double a_old, double *before, double *total);

/* body_stress_drag: adds to the links the momentum that the implicit part of the viscous term has taken in a
 * stage of length dts [T].
 *
 *   vel    the velocity after body_drag() and body_push(), before the projection */
kol_status body_stress_drag(struct box b, struct metrics m, struct body_items s,
                            const struct body_points points[3], real dts, real *const vel[3], double *total);

/* body_stress_pressure: adds to the closed faces the pressure p + phi, times dts. p and phi: one halo layer
 * at the low faces. phi: NULL if it is 0. */
kol_status body_stress_pressure(struct box b, struct body_items s, real dts, const real *p, const real *phi,
                                double *total);

/* body_stress_sum: sum += total, for n values. */
kol_status body_stress_sum(ptrdiff_t n, const double *total, double *sum);

KOL_END_C

#endif
