/* The pressure correction of a stage: right-hand side, guess, solve, correction, update.
 * docs/numerics/pressure.md. */
#ifndef KOL_STEP_PRESSURE_H
#define KOL_STEP_PRESSURE_H

#include "guess_table.h"
#include "step.h"

/* What rounding may leave of a right-hand side's sum over the box, per volume, in units of epsilon times what
 * its values are made of. */
enum { PRESSURE_MEAN_ROUNDING = 1000 };

/* pressure_create: the running pressure, zero. What guesses hold beside it is told by guess_table.h. */
kol_status pressure_create(struct flow *flow);

/* pressure_solve: lap(phi) = div(u*) / dts with phi = 0 in the mean, into step->phi; u* in flow->vel,
 * its halos of any age. Tolerance: max|div u| h / U after the correction. */
kol_status pressure_solve(struct step *step, struct flow *flow, int stage, double dts);
/* pressure_correct: u = u* - dts grad(phi); p = p + phi, less dts nu/2 lap(phi) where diffusion is implicit.
 * The correction is dropped and the stage's pressure kept for later guesses. */
kol_status pressure_correct(struct step *step, struct flow *flow, int stage, double dts);
/* pressure_project: make flow->vel divergence-free (the initial flow), to pressure.tolerance where rounding
 * or the iterations allow no less; the pressure is not touched. */
kol_status pressure_project(struct step *step, struct flow *flow, double tolerance);

#endif
