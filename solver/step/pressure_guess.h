/* When stage pressures are combined into a guess, and how long each of them is held. The weights are those
 * of guess_table.h. */
#ifndef KOL_STEP_PRESSURE_GUESS_H
#define KOL_STEP_PRESSURE_GUESS_H

#include "step.h"

/* pressure_guess_form: hold step->phi and fill it with the guess of this stage's correction. It is zero in
 * the first step of a run, and where the guess is the running pressure itself. If the preconditioner is the
 * exact inverse, which reads no guess, step->phi keeps what its array held. Stage pressures that no later
 * guess reads are dropped; in stage 0 those of this step first become those of the last step. */
kol_status pressure_guess_form(struct step *step, struct flow *flow, int stage);

/* pressure_guess_keep: make p, an array of the pool, the pressure of this stage and the running pressure.
 * Stage pressures that no later guess reads are dropped. */
kol_status pressure_guess_keep(const struct step *step, struct flow *flow, int stage, real *p);

#endif
