/* PPCG: preconditioned conjugate gradients, the one Krylov solver, for pressure and diffusion. */
#ifndef KOL_POISSON_PPCG_H
#define KOL_POISSON_PPCG_H

#include "parallel/halo.h"
#include "state/pool.h"
#include "preconditioner.h"
#include "parallel/reduction.h"

struct ppcg;

/* What a solve has to reach, and how to speak of it. */
struct ppcg_goal {
    const char *name;    /* "pressure", ... */
    double tolerance;    /* on max of |rhs - A x| / V */
    double scale;        /* turns max|r|/V into what the user asked for: */
    const char *meaning; /* "max|div u| h/U", ... */
    const char *input;   /* name of its tolerance in the namelist */
    int asked;           /* iterations to take even where fewer would do */
    int most;    /* end after so many, met or not, and leave it to the caller to look; 0: a fault after
                    max_iterations */
    int trusted; /* where the preconditioner inverts A, and asked <= 1: its one application is the solve, no
                    residual is computed */
    int one;     /* one sum over the grid an iteration instead of two or three; the same but for rounding */
    const char *faster; /* what to choose where the iteration gets no further, in words of the namelist; NULL:
                           no such thing */
    double enough;      /* as tolerance, which it is not below: taken where the iteration gets no further; 0:
                           nothing is */
    double rounding; /* part of the right-hand side that rounding may leave of A x, at the most; 0: not known.
                        For messages */
};
struct ppcg_result {
    int iterations;
    double first;  /* max|r|/V of the guess; 0 where it was not read */
    double last;   /* of the solution: computed from x, not by recurrence; 0 where that was trusted */
    double sum_vx; /* sum of V x of the solution; 0 of one application of an inverse, whose mean is 0 to
                      rounding */
};

/* ppcg_create: borrows everything it is given. ppcg_arrays: how many work arrays each solve holds of the
 * pool: PPCG_ARRAYS, one more where new solutions go to an array of their own (laplace_apart()), one more
 * with one sum an iteration, and what a preconditioner with so many scratch arrays wants beyond those that
 * are idle while it works. */
enum { PPCG_ARRAYS = 4 };
int ppcg_arrays(int scratch, int one);
kol_status ppcg_create(struct memory *memory, int max_iterations, struct box b, struct halo *halo,
                       struct reduction *reduction, struct pool *pool, struct ppcg **out);
void ppcg_destroy(struct ppcg **s);

/* ppcg_solve: A x = rhs - mean V. A: symmetric positive definite, or semi-definite with the constants as null
 * space; then mean = sum of rhs / volume makes the system solvable.
 *
 *   x    in: guess, which a preconditioner that inverts A does not read; out: solution, its halo faces filled
 *
 * Each iteration is two sweeps and one exchange: laplace_direction and laplace_update (one more of both for
 * each degree beyond 1, or for several: laplace_steps_most()), and what a preconditioner that is apart does
 * between them. Its scalars stay in kernel memory. With goal.one they are laplace_energy and laplace_advance,
 * and all sums of an iteration are taken together after z; iterations that are asked for follow each other
 * without a look at the residual. When the recurrence says that the tolerance is met, the residual is
 * computed anew from x; where it is not met the iteration starts again from x. With a preconditioner that
 * inverts A (preconditioner_inverts()) there are no directions: an iteration is one application of it, x = M
 * (rhs - mean V) or x += M r, and the residual computed from x; conjugate gradients follow where a refinement
 * gains nothing more. KOL_ERR_NUMERICAL: iterations spent, stagnation, not positive definite, not finite.
 * Same bits on any number of ranks. Collective. */
kol_status ppcg_solve(struct ppcg *s, const struct preconditioner *m, struct stencil a, struct ppcg_goal goal,
                      double mean, const real *rhs, real *x, struct ppcg_result *out);

/* ppcg_residual: after a solve that failed, its last residual, kernel memory; NULL where no solve failed. */
const real *ppcg_residual(const struct ppcg *s);

#endif
