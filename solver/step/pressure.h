/* The pressure correction of a stage: right-hand side, guess, solve, correction, update.
 * docs/numerics/pressure.md. */
#ifndef KOL_STEP_PRESSURE_H
#define KOL_STEP_PRESSURE_H

#include "guess_table.h"
#include "step.h"

/* The sum of a right-hand side over the box, divided by the volume, is zero but for rounding. It may be at
 * most this many times epsilon times the size of the terms that the right-hand side is made of. */
enum { PRESSURE_MEAN_ROUNDING = 1000 };

/* pressure_create: holds the array of the running pressure and sets it to zero. */
kol_status pressure_create(struct flow *flow);

/* pressure_predict: is called before the prediction of a stage. If the stage solves for an increment in
 * single precision, the guess of its pressure becomes the running pressure, whose gradient the prediction
 * takes. */
kol_status pressure_predict(const struct step *step, struct flow *flow, int stage);

/* pressure_solve: solves lap(phi) = div(u*) / dts, with phi = 0 in the mean, and leaves phi in step->phi, or
 * in an array in single precision. u* is in flow->vel, whose halos need not be filled;
 * dts is the length of the stage [T]. pressure.tolerance bounds max|div u| h/U after the correction.
 * Collective. */
kol_status pressure_solve(struct step *step, struct flow *flow, int stage, double dts);

/* pressure_correct: with the phi of pressure_solve, set
 *
 *     u = u* - dts grad(phi) + what the force adds (forcing_stage())
 *     p = p + phi                            if diffusion is explicit, or implicit in z alone
 *     p = p + phi - dts nu/2 lap(phi)        if diffusion is implicit
 *
 * Then step->phi is dropped, and p is kept as the pressure of this stage for later guesses. */
kol_status pressure_correct(struct step *step, struct flow *flow, int stage, double dts);

/* pressure_settle: has to be called after pressure_correct(). If the exact inverse is in single precision and
 * the stage is to be checked (docs/numerics/pressure.md, "Exact inverse"), it takes the monitor of the
 * corrected velocity. As long as the divergence is above the tolerance, it solves for what is left and
 * corrects again. After the last stage the sums stay in flow->sums. KOL_ERR_NUMERICAL if the tolerance can't
 * be met. Collective. */
kol_status pressure_settle(struct step *step, struct flow *flow, int stage, double dts);

/* pressure_potential: computes the potential [U L] whose gradient makes flow->vel divergence-free to
 * `tolerance` when it is subtracted, and leaves it in step->phi, which the caller drops. The velocity is not
 * changed. Collective. */
kol_status pressure_potential(struct step *step, struct flow *flow, double tolerance);

/* pressure_project: makes flow->vel, the initial flow, divergence-free to `tolerance`. If rounding or the
 * number of iterations does not allow that, pressure.tolerance is enough. The pressure is not changed.
 * Collective. */
kol_status pressure_project(struct step *step, struct flow *flow, double tolerance);

#endif
