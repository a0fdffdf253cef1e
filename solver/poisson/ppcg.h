/* PPCG: preconditioned conjugate gradients, the one Krylov solver, for pressure and diffusion. */
#ifndef KOL_POISSON_PPCG_H
#define KOL_POISSON_PPCG_H

#include "parallel/halo.h"
#include "state/pool.h"
#include "preconditioner.h"
#include "parallel/reduction.h"

struct ppcg;

/* What a solve has to reach, and the words for it in messages. */
struct ppcg_goal {
    const char *name; /* "pressure", ... */
    double tolerance; /* on max of |rhs - A x| / V */
    double reduction; /* it is enough to reduce max of |rhs - A x| / V to this part of that of the guess; 0:
                            the tolerance is to be met */
    double scale;     /* turns max|r|/V into what the user asked for: */
    const char *meaning; /* "max|div u| h/U", ... */
    const char *input;   /* name of its tolerance in the namelist */
    int asked;           /* iterations to take even where fewer would do */
    int most;    /* end after so many, met or not, and leave it to the caller to look; 0: a fault after
                    max_iterations */
    int trusted; /* if the preconditioner inverts A, and asked <= 1, one application of it is the solve, and
                    no residual is computed */
    int single;  /* rounds may be in single precision: x is 0 at the start, so the solve may have far to go */
    int one_sum; /* one sum over the grid an iteration instead of two or three; the same but for rounding */
    const char *faster; /* what to choose where the iteration gets no further, in words of the namelist; NULL:
                           no such thing */
    double enough;      /* a larger tolerance, accepted where the iteration gets no further; 0: none */
    double rounding;    /* the largest part of the right-hand side that rounding may leave of A x; 0: not
                           known. For messages */
};
struct ppcg_result {
    int iterations;
    double first;  /* max|r|/V of the guess; 0 where it was not read */
    double last;   /* of the solution: computed from x, not by recurrence; 0 where that was trusted */
    double sum_vx; /* sum of V x of the solution; 0 of one application of an inverse, whose mean is 0 to
                      rounding */
};

/* ppcg_create: makes a solver for fields of box b. All arguments are borrowed. */
kol_status ppcg_create(struct memory *memory, int max_iterations, struct box b, struct halo *halo,
                       struct reduction *reduction, struct pool *pool, struct ppcg **out);
void ppcg_destroy(struct ppcg **s);

/* ppcg_solve: solves A x = rhs - mean V for x. A is symmetric positive definite; or it is semi-definite with
 * the constants as null space, and mean = sum of rhs / volume makes the system solvable.
 *
 *   x    in: the guess, which a preconditioner that inverts A does not read; out: the solution, with the
 *        faces of its halo filled
 *
 * The method is that of conjugate gradients. An iteration is two sweeps, laplace_direction and
 * laplace_update, and one exchange. A polynomial adds one sweep and one exchange for each degree beyond 1, or
 * for several degrees (laplace_steps_most()); a separate preconditioner adds its own. The scalars stay in
 * kernel memory. When the recurrence says that the tolerance is met, the residual is computed from x. If that
 * is not below the tolerance, the iteration starts again from x.
 *
 * With one sum per iteration (goal.one_sum), the sweeps are laplace_energy and laplace_advance, and all sums
 * of an iteration are taken together, after z. The first goal.asked iterations are done in any case, so the
 * residual is not looked at between them.
 *
 * With a preconditioner that inverts A (preconditioner_inverts()), the first iteration is x = M (rhs - mean
 * V), and each later one adds M r to x. The residual r is computed from x. Conjugate gradients follow if that
 * does not meet the tolerance.
 *
 * With bodies (a.open is not NULL) rhs - mean V has to sum to zero over each connected region of fluid
 * (fluid_regions.h). It is taken as 0 in dead cells, where x is set to 0. The polynomial takes a sweep for
 * each degree, and an iteration has several sums whatever goal.one_sum is.
 *
 * KOL_ERR_NUMERICAL if the iterations are used up, the residual stagnates, A or M is not positive definite,
 * or values are not finite. If the pool only counts, the solve is not done: its arrays are counted. The bits
 * are the same on any number of ranks. Collective. */
kol_status ppcg_solve(struct ppcg *s, const struct preconditioner *m, struct stencil a, struct ppcg_goal goal,
                      double mean, const real *rhs, real *x, struct ppcg_result *out);

/* ppcg_residual: returns the last residual of a solve that failed, in kernel memory; NULL if no solve
 * failed. */
const real *ppcg_residual(const struct ppcg *s);

#endif
