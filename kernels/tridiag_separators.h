/* The tridiagonal systems of tridiag.h for levels that are divided between ranks (docs/numerics/direct.md,
 * "Levels of several ranks").
 *
 * The levels of a column are divided into chunks. Level 0 of a chunk is its separator. If the other levels
 * are eliminated, one node is left for each chunk, joined to its neighbours. So a rank folds its chunks; a
 * rank that has the complete row of separators solves it; and the rank unfolds its chunks between the values
 * of their separators.
 *
 * Values are double in both precisions and complex, with two parts each. All arrays are in kernel memory,
 * and work goes to the queue in use. */
#ifndef KOL_TRIDIAG_SEPARATORS_H
#define KOL_TRIDIAG_SEPARATORS_H

#include "base/status.h"

KOL_BEGIN_C

/* Limits: levels of a chunk, and chunks of the grid. */
enum { SEPARATORS_LEVELS = 8, SEPARATORS_CHUNKS = 512 };

/* separators: n levels in `chunks` chunks, a power of two.
 *
 *   start        chunk c has the levels start[c] to start[c + 1] - 1; all ranks' chunks are counted together
 *   first, own   chunks `first` to first + own - 1 are this rank's
 *   columns      number of columns that this rank has, from `column` on. Column c of the grid has lambda =
 *                la[c % na] + lb[c / na]. Only column 0 of the grid has lambda = 0; it is real.
 *   metric       w[i] and g[i], pair after pair, i = 0 .. n, with w[n] = 0; struct tridiag defines them
 *   slots        number of slots of the grid. A rank has own + 1: one for each of its chunks, and one for
 *                the first chunk of the next rank.
 *   slot         slot[c]: the slot of chunk c among all slots of the grid, rank after rank
 *
 * The other members are for column 0. The inner levels of each chunk are solved for the right-hand side w,
 * with separators at zero.
 *
 *   inner         inner[i]: that solution, 0 at separators
 *   inner_width   its sum weighted by w
 *   folded        folded[c]: what w contributes to separator c
 *   width         the sum of w */
struct separators {
    int n, chunks, first, own, slots;
    int na, column, columns;
    const double *la, *lb, *metric, *inner, *folded;
    const int *start, *slot;
    double inner_width, width;
};

/* separators_fold: computes what scale times the values contributes to this rank's separators, slot after
 * slot, `columns` complex values each.
 *
 *   values   level i of this rank, column c, part p: (i columns + c) 2 + p; they are not changed
 *   slots    out. The last slot is what the last chunk contributes to the separator above it. Imaginary
 *            parts of column 0 are the sum of `inner` times the values.
 *
 * Per value: 1 read, 1/8 write. */
kol_status separators_fold(struct separators t, double scale, const double *values, double *slots);

/* separators_solve: solves for the separators, in place, in all slots of `columns` columns. Slots go from
 * what separators_fold left to the values of the separators; each value is in both of its slots. In column 0
 * the sum of the right-hand side is subtracted in proportion to w, and then the mean of the solution,
 * weighted by w. Its imaginary parts become that sum over the width. Per value: 1 read, 1 write. */
kol_status separators_solve(struct separators t, double *slots);

/* separators_unfold: computes the solution, in place, from the values that separators_fold got and this
 * rank's slots. Per value: 1 read, 1 write, and 1/8 read. */
kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values);

KOL_END_C

#endif
