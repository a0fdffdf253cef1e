/* What the files of ppcg.h share: ppcg.c, solves and rounds; ppcg_iteration.c, what a round does. */
#ifndef KOL_POISSON_PPCG_INTERNAL_H
#define KOL_POISSON_PPCG_INTERNAL_H

#include "parallel/halo_overlap.h"
#include "ppcg.h"

/* How z = M r is formed in the solve under way. */
enum ppcg_preconditioning {
    PPCG_FUSED, /* by a polynomial: its first degrees in the sweep that updates r, one sweep for each other */
    PPCG_BLOCKED, /* by a polynomial, in sweeps of their own that take several degrees each */
    PPCG_SEPARATE /* by a preconditioner that is no polynomial and has sweeps of its own */
};

struct ppcg {
    int max_iterations;
    enum ppcg_preconditioning preconditioning;
    const struct preconditioner *separate; /* borrowed; NULL unless PPCG_SEPARATE */
    struct polynomial p;                   /* of one degree beside a separate preconditioner: plain Jacobi */
    struct poly1 fused; /* its part that is fused into the update of r; else plain Jacobi */
    int steps_most;     /* the most degrees that a blocked sweep can take; 1: there are none */
    int steps;          /* how many it takes in the solve under way */
    int scratch;        /* arrays that the preconditioner works in */
    int apart;          /* whether x takes turns with an array of its own */
    int one_sum;        /* the solve under way has one sum an iteration */
    struct box box;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    struct cg_scalars cg;
    real *planes;         /* scratch of laplace_update */
    const real *residual; /* of the solve under way; NULL: none */
};

/* The vectors of one solve. They are not copied: the pointers change places. */
struct vectors {
    real *r, *z, *d; /* residual, preconditioned residual, direction */
    real *
        unused; /* the next residual or direction is written here; then the array of the last one is unused */
    real *d_new;     /* free for the next direction with one sum an iteration, else NULL */
    real *x, *x_new; /* the solution, and where the next one goes: the same array unless ppcg.apart */
    real *more[PRECONDITIONER_SCRATCH]; /* further arrays that a preconditioner works in; NULL: not needed */
};

/* ppcg_exchange: returns an exchange of *x, after which x is 0 beyond faces that the stencil holds (a.held).
 * It borrows s and x. */
struct exchange ppcg_exchange(const struct ppcg *s, struct stencil a, real *const *x, enum halo_shape shape);
/* ppcg_fill: does this exchange without a sweep that overlaps it. */
kol_status ppcg_fill(const struct ppcg *s, struct stencil a, real *x, enum halo_shape shape);
/* ppcg_iterate: does a round of conjugate gradients from the residual in v->r, whose max|r|/V is `most`. It
 * ends when max|r|/V by recurrence has fallen to the target, or no longer falls. *state: in: the iterations
 * so far; out: the scalars as the round left them. Collective. */
kol_status ppcg_iterate(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double most,
                        struct vectors *v, struct cg_state *state);

#endif
