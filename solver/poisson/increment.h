/* Conjugate gradients with the multigrid cycle for one increment of the pressure, all in single precision, on
 * the first level of the multigrid. docs/numerics/pressure.md, "Increments in single precision". */
#ifndef KOL_POISSON_INCREMENT_H
#define KOL_POISSON_INCREMENT_H

#include "level_round.h"
#include "ppcg.h"

/* increment: the solver, and its arrays while they are held. They lie in fields of the pool. */
struct increment {
    const struct domain *domain; /* borrowed */
    struct multigrid *multigrid; /* borrowed; NULL: increments are not solved for in single precision */
    real *field[LEVEL_ROUND_FIELDS];
    struct level_round round;
};

/* increment_result: what a solve found.
 *
 *   phi          the increment; its halo is filled at the faces. Nothing if it is 0 (iterations = 0)
 *   sum_vx       the sum of V phi
 *   iterations   0: the increment is 0, because the right-hand side meets the goal already
 *   met          whether the goal is met, by the recurrence of the residual. If it is not, single precision
 *                allows no more in one solve */
struct increment_result {
    struct level_sum phi;
    double sum_vx;
    int iterations, met;
};

/* increment_strength: what the last cycle with strong smoothing that began a solve has achieved. It belongs
 * to the state of a run, since the next solves depend on it.
 *
 *   steps       its steps; 0: there was none
 *   reduction   the factor by which the iteration reduced the residual
 *   gain        the factor that one step more brought when the number of steps last changed; 0: never
 */
struct increment_strength {
    int steps;
    double reduction, gain;
};
/* increment_steps: returns the steps of strong smoothing for the first cycle of a solve that has to reduce
 * the residual by the factor `wanted`: the fewest that can be expected to suffice, but at most one less than
 * the last time. If none can, or nothing is known, it is a number in the middle. 0: the usual smoothing. */
int increment_steps(struct increment_strength last, double wanted);
/* increment_learn: takes note of what the first cycle of a solve has achieved. steps: of strong smoothing;
 * nothing is noted if they are 0. */
void increment_learn(struct increment_strength *last, int steps, double reduction);

/* increment_choose: sets *out to a solver, or to one with multigrid = NULL: pressure.multigrid_precision is
 * 'double', or it is 'auto' and something is in the way. KOL_ERR_INPUT if it is 'single' and something is. m:
 * the multigrid of the pressure; NULL: there is none, since pressure.preconditioner is or has chosen another
 * one. Nothing is refused then. */
kol_status increment_choose(const struct domain *domain, struct multigrid *m, struct increment *out);

/* increment_describe: writes what the log says of increments and of guessed first stages
 * (pressure.first_stage), to be added to the words on the solver; "" if there are neither. */
void increment_describe(const struct increment *s, char *text, size_t size);

/* increment_begin: takes the arrays; increment_end: drops them. */
kol_status increment_begin(struct increment *s);
kol_status increment_end(struct increment *s);
/* increment_box: returns the box of s->round.r. */
struct box increment_box(const struct increment *s);

/* increment_residual: after a solve that failed, while s->field is held, writes the last residual to the own
 * cells of a host array of the grid's box; the rest of the array is 0. */
kol_status increment_residual(const struct increment *s, real *host);

/* increment_solve: solves A phi = rhs from phi = 0, where s->round.r holds rhs / unit, whose mean is 0.
 *
 *   unit    brings values of rhs to neither huge nor tiny size
 *   first   max|rhs|/V
 *   last    in and out
 *
 * The values of s->round.r are lost. KOL_ERR_NUMERICAL if the iterations are used up, or A or M is not
 * positive definite, or values are not finite. The bits are the same on any number of ranks. Collective. */
kol_status increment_solve(struct increment *s, const struct ppcg_goal *goal, double unit, double first,
                           struct increment_strength *last, struct increment_result *out);

#endif
