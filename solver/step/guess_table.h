/* Guesses of a stage's pressure from earlier stage pressures: the weights, and which stage pressures each
 * guess reads. docs/numerics/pressure.md, "Guesses". */
#ifndef KOL_STEP_GUESS_TABLE_H
#define KOL_STEP_GUESS_TABLE_H

#include "inputs/input.h"

/* The stage pressures that a guess may combine: P1', P2', P3' are those of the last step, P1, P2 those of
 * this step. */
enum guess_source { GUESS_P1_BEFORE, GUESS_P2_BEFORE, GUESS_P3_BEFORE, GUESS_P1, GUESS_P2, GUESS_SOURCES };

/* The guess of one stage, minus the running pressure: a guess of the correction. It is the sum over the
 * sources of (constant + ratio * dt/dt') * source; no guess has more than two sources. */
struct guess {
    double constant[GUESS_SOURCES], ratio[GUESS_SOURCES];
};

/* guess_table: returns the guesses of the three stages, for a value of enum guess_name. They are all zero in
 * two cases: the guess of the pressure is the running pressure; or the preconditioner is the exact inverse,
 * which reads no guess. They are zero for 'zero', too, which pressure_guess_form() treats on its own. */
const struct guess *guess_table(const struct input *in, int guess);
/* guess_is_zero: returns whether none of the three guesses reads a stage pressure. */
int guess_is_zero(const struct guess *table);
/* guess_reads: returns whether the guess of one stage reads this source. */
int guess_reads(const struct guess *g, int source);
/* guess_read_from: returns whether the guess of `stage`, or of a later stage of the step, reads this
 * source. The stage `except` is left out; -1 leaves out none. */
int guess_read_from(const struct guess *table, int stage, int except, int source);
/* guess_stage_ahead: returns the later stage whose guess reads only pressures of the last step; -1 if there
 * is none. If this guess is formed together with that of the first stage, it needs one array. Otherwise the
 * two pressures that it reads would have to be kept. */
int guess_stage_ahead(const struct guess *table);

/* These functions return which pressures have to be kept for a guess, a value of enum guess_name.
 *
 *   pressure_stages_wanted    the stage pressures of a step that the next step reads: bit m - 1 stands for
 *                             stage m = 1, 2
 *   pressure_stages_kept      number of stage pressures that are kept after a step, the running pressure
 *                             included */
int pressure_stages_wanted(const struct input *in, int guess);
int pressure_stages_kept(const struct input *in, int guess);

#endif
