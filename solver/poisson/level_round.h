/* A round of conjugate gradients with the multigrid cycle in single precision, on the first level of the
 * multigrid. docs/numerics/pressure.md, "Increments in single precision". */
#ifndef KOL_POISSON_LEVEL_ROUND_H
#define KOL_POISSON_LEVEL_ROUND_H

#include "kernels/level_cg.h"
#include "parallel/reduction.h"
#include "multigrid.h"

/* level_round: the arrays of a round. They lie in fields of the grid's box. */
enum { LEVEL_ROUND_ARRAYS = 6 };
enum { LEVEL_ROUND_FIELDS = (LEVEL_ROUND_ARRAYS * sizeof(level_real) + sizeof(real) - 1) / sizeof(real) };
struct level_round {
    struct multigrid *multigrid; /* borrowed */
    struct reduction *reduction; /* borrowed */
    int strong;     /* steps of strong smoothing in the cycles (multigrid.h); 0: the usual ones */
    double reduced; /* out: the factor by which the first iteration has reduced the residual */
    level_real *r, *z, *d, *x, *scratch[2];
    /* How the last round left the direction in d, with which the next one goes on: r.z before it and the
     * length of its step, in units of that round, and its sum of V d. any: whether there is one */
    struct {
        int any;
        double unit, rz, alpha, of_d;
    } last;
};

/* level_round_lay_out: puts the arrays into fields of box b. level_round_box: returns the box of the
 * arrays. */
kol_status level_round_lay_out(struct level_round *s, struct box b, real *const field[LEVEL_ROUND_FIELDS]);
struct box level_round_box(const struct level_round *s);

/* level_round_do: iterates from 0 until cg ends. s->r holds the right-hand side / unit, whose mean is 0; its
 * values are lost. If s->last tells of a round of the same solve, whose arrays are as it left them,
 * directions go on from it.
 *
 *   unit     brings values of the right-hand side to neither huge nor tiny size
 *   cg       in: cg_round() after CG_BEGIN, with max|rhs|/V in the units of the right-hand side; out: the end
 *   phi      out: the solution; its halo is filled at the faces. phi->d is NULL if there was no update
 *   sum_vx   out: the sum of V phi
 *
 * The bits are the same on any number of ranks. Collective. */
kol_status level_round_do(struct level_round *s, double unit, struct cg_state *cg, struct level_sum *phi,
                          double *sum_vx);

#endif
