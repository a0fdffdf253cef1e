/* What the files of ppcg.h share: ppcg.c, solves and rounds; ppcg_iteration.c, what a round does. */
#ifndef KOL_POISSON_PPCG_INTERNAL_H
#define KOL_POISSON_PPCG_INTERNAL_H

#include "parallel/exchange.h"
#include "ppcg.h"

struct ppcg {
    int max_iterations;
    const struct preconditioner *outer; /* of the solve under way, where it is apart; NULL: fused */
    struct polynomial p;                /* plain Jacobi beside an outer one */
    struct poly1 fused;                 /* what of it is fused into the sweeps of the iteration */
    int blocked;                        /* nothing of it: sweeps of their own take several degrees each */
    int steps_most;                     /* how many such a sweep can take; 1: there are none */
    int steps;                          /* how many it takes in the solve under way */
    int scratch;                        /* arrays that the preconditioner works in */
    int one;                            /* the solve under way has one sum an iteration */
    struct box box;
    struct halo *halo;
    struct reduction *reduction;
    struct pool *pool;
    struct cg_scalars cg;
    real *planes;         /* scratch of laplace_update */
    const real *residual; /* of the solve under way; NULL: none */
};

/* The vectors of one solve; they change names rather than being copied. `spare` is free for the next result:
 * the direction before once there is a new one, the residual before once it is updated. */
struct vectors {
    real *r, *z, *d, *spare;
    real *d_new;     /* where the next direction goes while the next residual goes to `spare`; NULL: they take
                        turns */
    real *x, *x_new; /* the solution, and where the next one goes: the same array unless laplace_apart() */
    real *more[PRECONDITIONER_SCRATCH]; /* for a preconditioner; NULL: not wanted */
};

/* ppcg_exchange: an exchange of *x, after which x is 0 beyond held faces. It borrows s and x. ppcg_fill: such
 * an exchange that no sweep overlaps. */
struct exchange ppcg_exchange(const struct ppcg *s, struct stencil a, real *const *x, enum halo_shape shape);
kol_status ppcg_fill(const struct ppcg *s, struct stencil a, real *x, enum halo_shape shape);
/* ppcg_cells: halo_cells; what the other side has is no neighbour where a direction is held. */
struct cells ppcg_cells(const struct ppcg *s, struct stencil a, enum cells_which which);
/* ppcg_apart: whether z = M r is no part of the sweeps of the iteration. */
int ppcg_apart(const struct ppcg *s);
/* ppcg_iterate: a round of conjugate gradients from the residual in v->r, whose max|r|/V is `most`, until
 * max|r|/V by recurrence falls to the target or no longer falls. *state: in: iterations so far; out: as the
 * round left it. Collective. */
kol_status ppcg_iterate(struct ppcg *s, struct stencil a, const struct ppcg_goal *goal, double most,
                        struct vectors *v, struct cg_state *state);

#endif
