/* The tridiagonal systems of ./tridiag.h where the levels are cut over ranks (docs/numerics/direct.md,
 * "Levels of several ranks"). A column's levels are cut into chunks. Level 0 of a chunk is its separator;
 * elimination of the others leaves one node a chunk, joined to its neighbours. So a rank folds its chunks,
 * the row of separators is solved by whoever holds it whole, and the rank unfolds its chunks between the
 * values of their separators. Double in both precisions, two parts a value, complex. All arrays in kernel
 * memory; in the queue in use. */
#ifndef KOL_SEPARATORS_H
#define KOL_SEPARATORS_H

#include "base/status.h"

KOL_BEGIN_C

/* Levels of a chunk, and chunks of the grid, at the most. */
enum { SEPARATORS_LEVELS = 8, SEPARATORS_CHUNKS = 512 };

/* separators: n levels in `chunks` chunks, a power of two, chunk c from level start[c] to start[c + 1], all
 * ranks' together; `first` to first + own - 1 are this rank's. Column c of the grid has lambda = la[c % na] +
 * lb[c / na]; `columns` of them, from `column` on, are at hand. Column 0 of the grid, and no other, has
 * lambda = 0; it is real. metric: w[i] and g[i], pair after pair, i = 0 .. n, w[n] = 0; struct tridiag tells
 * what they are. Slots: a rank has own + 1, one for each of its chunks and one for the first chunk of the
 * next rank; slot[c]: that of chunk c among all slots of the grid, rank after rank. For column 0, with the
 * inner levels of each chunk solved for w between separators at zero: inner[i], that solution, 0 at
 * separators; inner_width, its sum weighted by w; folded[c], what w leaves to separator c; width: the sum of
 * w. */
struct separators {
    int n, chunks, first, own, slots;
    int na, column, columns;
    const double *la, *lb, *metric, *inner, *folded;
    const int *start, *slot;
    double inner_width, width;
};

/* separators_fold: what scale times the values leaves to this rank's separators, slot after slot, `columns`
 * complex values each. values: level i of this rank, column c, part p: (i columns + c) 2 + p; left as they
 * are. The last slot: what the last chunk leaves to the separator above it. Imaginary parts of column 0: the
 * sum of inner times the values. A value: 1 read, 1/8 write. */
kol_status separators_fold(struct separators t, double scale, const double *values, double *slots);

/* separators_solve: in place, all slots of `columns` columns: from what they hold after separators_fold to
 * the separators' values, each in both of its slots. Column 0: the sum of its right-hand side is taken off in
 * proportion to w, and the solution's mean, weighted by w; its imaginary parts: that sum over the width. A
 * value: 1 read, 1 write. */
kol_status separators_solve(struct separators t, double *slots);

/* separators_unfold: in place, from the values that separators_fold was given, and this rank's slots, to the
 * solution. A value: 1 read, 1 write, and 1/8 read. */
kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values);

KOL_END_C

#endif
