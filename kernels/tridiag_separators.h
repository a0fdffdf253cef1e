/* The tridiagonal systems of tridiag.h, for levels that are divided between ranks (docs/numerics/direct.md,
 * "Levels of several ranks").
 *
 * The levels of a column are divided into chunks. Level 0 of a chunk is its separator. When the other levels
 * are eliminated, each chunk is left with one node, which is joined to its neighbours. This takes three
 * steps:
 *
 *   - each rank eliminates the inner levels of its chunks (fold);
 *   - a rank that has the complete row of separators of a column solves for them (solve);
 *   - each rank computes the inner levels of its chunks from their separators (unfold).
 *
 * Values are complex, with two parts each. They are double in both precisions, and float in the functions
 * whose names end in _single; the CPU build does not have these. All arrays are in kernel memory, and work
 * goes to the queue in use. */
#ifndef KOL_TRIDIAG_SEPARATORS_H
#define KOL_TRIDIAG_SEPARATORS_H

#include "base/status.h"

KOL_BEGIN_C

/* Limits: the most levels of a chunk, in double and in single precision, and the most chunks of the grid. */
enum { SEPARATORS_LEVELS = 8, SEPARATORS_LEVELS_SINGLE = 16, SEPARATORS_CHUNKS = 512 };

/* separators: n levels in `chunks` chunks, a power of two.
 *
 *   start        chunk c has the levels start[c] to start[c + 1] - 1; all ranks' chunks are counted together
 *   first, own   chunks `first` to first + own - 1 are this rank's
 *   columns      number of columns that this rank has, from `column` on. Column c of the grid has lambda =
 *                la[c % na] + lb[c / na]. Only column 0 of the grid has lambda = 0; it is real.
 *   metric       w[i] and g[i], pair after pair, i = 0 .. n, with w[n] = 0; struct tridiag defines them
 *   metric_single  the same, rounded to single precision
 *   slots        number of slots of the grid. A rank has own + 1: one for each of its chunks, and one for
 *                the first chunk of the next rank.
 *   slot         slot[c]: the slot of chunk c among all slots of the grid, rank after rank
 *
 * The other members are for column 0. They belong to a solution of the inner levels of each chunk, for the
 * right-hand side w and with separators at zero.
 *
 *   inner         inner[i]: that solution, 0 at separators
 *   inner_width   its sum weighted by w
 *   folded        folded[c]: what w contributes to separator c
 *   width         the sum of w */
struct separators {
    int n, chunks, first, own, slots;
    int na, column, columns;
    const double *la, *lb, *metric, *inner, *folded;
    const float *metric_single;
    const int *start, *slot;
    double inner_width, width;
};

/* separators_fold: multiplies the values by scale and computes their contributions to this rank's separators.
 * They are stored slot after slot, `columns` complex values each.
 *
 *   values   level i of this rank, column c, part p: (i columns + c) 2 + p; they are not changed
 *   slots    out. The last slot is what the last chunk contributes to the separator above it. In column 0,
 *            the imaginary parts are the sum of `inner` times the values.
 *
 * Per value: 1 read, 1/8 write; in single precision 1/16. */
kol_status separators_fold(struct separators t, double scale, const double *values, double *slots);
kol_status separators_fold_single(struct separators t, double scale, const float *values, float *slots);

/* separators_solve: solves for the separators of `columns` columns, in place, in all slots. On entry the
 * slots hold what separators_fold left. On return they hold the values of the separators; each separator has
 * two slots, which both get its value. Column 0 is singular: the sum of its right-hand side is first
 * subtracted in proportion to w, and then the mean of the solution, weighted by w, is subtracted. The
 * imaginary parts of column 0 become that sum divided by the width. Per value: 1 read, 1 write. */
kol_status separators_solve(struct separators t, double *slots);
kol_status separators_solve_single(struct separators t, float *slots);

/* separators_unfold: computes the solution from this rank's slots. values holds the same right-hand sides as
 * for separators_fold, and is overwritten by the solution. Per value: 1 read, 1 write, and 1/8 read;
 * in single precision 1/16. */
kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values);
kol_status separators_unfold_single(struct separators t, double scale, const float *slots, float *values);

KOL_END_C

#endif
