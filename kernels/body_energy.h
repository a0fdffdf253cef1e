/* Work on the fluid beside bodies that travel, from the values that a stage used: where faces open and close,
 * the energy balances with these sums, while powers at the ends of steps jump. docs/numerics/bodies.md,
 * "Energy". Each kernel of sums leaves one number. All arrays are in kernel memory. */
#ifndef KOL_BODY_ENERGY_H
#define KOL_BODY_ENERGY_H

#include "body_travel.h"
#include "momentum.h"

KOL_BEGIN_C

/* body_energy_keep: keeps the velocity that a stage starts from, held.base = base. */
kol_status body_energy_keep(const struct body_held held[3], real *const base[3]);

/* body_energy_rates: leaves the sum [U^2 L^3 / T] of
 *
 *     V u extra              over the points: the explicit part of the viscous term (struct body_point)
 *     -V u F                 over the faces in `held`: F is the right-hand side of the plain stencils, as
 *                            momentum_stage() computes it from s.nu and s.turn
 *
 * The plain stencils at all faces take energy by their dissipation alone. With this sum added, it is the
 * power of the right-hand sides over open faces. vel: the velocity that the stage reads [U]; one
 * halo layer, faces and edges. */
kol_status body_energy_rates(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct stage s, real *const vel[3]);

/* body_energy_turns: leaves the sum of V u old over the faces that have closed [U^2 L^3 / T]: what the
 * right-hand sides of the stage before would do there in this stage. base: velocity that the stage
 * starts from [U]; old: those right-hand sides [U/T]. */
kol_status body_energy_turns(struct box b, struct metrics m, struct blocks bl, struct body_turns turns,
                             real *const base[3], real *const old[3]);

/* body_impulse: length of a stage [T], and what a uniform force adds to the velocity in it [U]. */
struct body_impulse {
    real dts, shift[3];
};

/* body_energy_stage: leaves the sum [U^2 L^3] of
 *
 *     -V mean drag           over the points: what the implicit part of the viscous term takes in the stage
 *     V (w^2 - base^2)/2     over the faces in `held`, w being the velocity of the body: what they get
 *     V mean (dts g - shift) over the same faces: g is the gradient of p + phi
 *
 * mean is half the sum of the velocities at the start and at the end of the stage. The gradient at all faces
 * does no work, because the velocity has no divergence; so the third sum is the work of the pressure on the
 * fluid. Likewise the force acts on open faces alone.
 *
 *   p, phi   pressure of the prediction, and its correction [U^2]; one halo layer at the low faces
 *   vel      the velocity before its projection */
kol_status body_energy_stage(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct body_impulse s, const real *p, const real *phi, real *const vel[3]);

KOL_END_C

#endif
