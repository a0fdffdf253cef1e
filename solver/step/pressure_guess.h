/* When stage pressures are combined into a guess, and how long each of them is kept. The weights are those
 * of guess_table.h. */
#ifndef KOL_STEP_PRESSURE_GUESS_H
#define KOL_STEP_PRESSURE_GUESS_H

#include "step.h"

/* pressure_guess_form: takes an array of the pool as step->phi and fills it with the guess of this stage's
 * correction. The guess is zero in the first step of a run, and where the guess is the running pressure
 * itself. If the preconditioner is the exact inverse, which reads no guess, the array is left as it comes
 * from the pool; if that inverse is in single precision, no array is taken. In stage 0 the stage pressures
 * of this step first become those of the last step. Stage pressures that no later guess reads are dropped.
 * */
kol_status pressure_guess_form(struct step *step, struct flow *flow, int stage);

/* pressure_guess_predict: makes the guess of this stage's pressure the running pressure, so that it belongs
 * to the prediction, and the stage solves for what it lacks. It is called in the place of
 * pressure_guess_form(), before the prediction. flow->pressure.predicted: whether the guess is another one
 * than the running pressure before; its halo is not filled then. */
kol_status pressure_guess_predict(const struct step *step, struct flow *flow, int stage);

/* pressure_guess_stands: returns whether the guess of this stage is its pressure, so that no equation is
 * solved (pressure.first_stage). The first steps of a run are solved for, and all steps unless increments are
 * solved for: only pressure_guess_predict() corrects the pressure of such a stage afterwards. */
int pressure_guess_stands(const struct step *step, const struct flow *flow, int stage);

/* pressure_guess_keep: makes p, an array of the pool, the pressure of this stage and the running pressure.
 * flow->pressure owns p from then on. Stage pressures that no later guess reads are dropped. */
kol_status pressure_guess_keep(const struct step *step, struct flow *flow, int stage, real *p);

/* pressure_guess_forget: drops all stage pressures but the running one: the next step has no guess. */
kol_status pressure_guess_forget(struct flow *flow);

#endif
