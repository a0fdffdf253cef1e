/* The pressure correction of a stage: right-hand side, guess, solve, correction, update.
 * docs/numerics/pressure.md. */
#ifndef KOL_STEP_PRESSURE_H
#define KOL_STEP_PRESSURE_H

#include "step.h"

/* What rounding may leave of a right-hand side's sum over the box, per volume, in units of epsilon times what
 * its values are made of. */
enum { PRESSURE_MEAN_ROUNDING = 1000 };

/* pressure_create: the running pressure, zero. pressure_arrays: fields of the pool that stage pressures take
 * during a solve. */
kol_status pressure_create(struct flow *flow);
int pressure_arrays(const struct input *in, int guess);
/* pressure_stages_wanted: bit m - 1: whether the guesses of a step read the pressure of stage m = 1, 2 of the
 * step before; pressure_stages_kept: the number of stage pressures that live on after a step, the running
 * pressure included. */
int pressure_stages_wanted(const struct input *in, int guess);
int pressure_stages_kept(const struct input *in, int guess);

/* pressure_solve: lap(phi) = div(u*) / dts with phi = 0 in the mean, into run's correction; u* in flow->vel,
 * its halos of any age. Tolerance: max|div u| h / U after the correction. */
kol_status pressure_solve(struct step *step, struct flow *flow, int stage, double dts);
/* pressure_correct: u = u* - dts grad(phi); p = p + phi, less dts nu/2 lap(phi) where diffusion is implicit.
 * The correction is dropped and the stage's pressure kept for later guesses. */
kol_status pressure_correct(struct step *step, struct flow *flow, int stage, double dts);
/* pressure_project: make flow->vel divergence-free (the initial flow), to pressure.tolerance where rounding
 * or the iterations allow no less; the pressure is not touched. */
kol_status pressure_project(struct step *step, struct flow *flow, double tolerance);

#endif
