/* The last direction of the exact inverse (docs/numerics/direct.md). If it is not transformed, many
 * tridiagonal systems are solved; if it is transformed, too, a division is enough. Values are double in both
 * precisions of the build, except where a name ends in _single. All arrays are in kernel memory, and work
 * goes to the queue in use. */
#ifndef KOL_TRIDIAG_H
#define KOL_TRIDIAG_H

#include "base/status.h"

KOL_BEGIN_C

/* tridiag: na x nb columns of n levels, n >= 2. Column (a, b) has the matrix
 *
 *     row i:  (g[i] + g[i+1] + lambda w[i]) z[i] - g[i] z[i-1] - g[i+1] z[i+1]
 *
 * with lambda = la[a] + lb[b] >= 0, where z[-1] is z[n-1] and z[n] is z[0].
 *
 *   g               g[n] = g[0]; both are 0 if no flux passes through the ends, as at walls
 *   parts           1 or 2 parts of a value, which share a matrix. Level i of column (a, b), part p, is
 *                   value ((i nb + b) na + a) parts + p.
 *   pivot, border   na nb n values each, which tridiag_factor() computes; border is NULL if g[0] is 0
 *   zero            whether column 0 of this rank is the singular one, with lambda = 0 */
struct tridiag {
    int n, na, nb, parts, zero;
    const double *la, *lb, *w, *g;
    double *pivot, *border;
    double *mean; /* 2 values of scratch */
};

/* tridiag_factor: computes the factors. It is called once, and it does all divisions. */
kol_status tridiag_factor(struct tridiag t);
/* tridiag_solve: multiplies the right-hand sides by scale and replaces them by the solutions. In the singular
 * column, the sum of the right-hand side is first subtracted, in proportion to w. The sweeps then set its
 * last value to zero, and at the end its mean, weighted by w, is subtracted. Per value: 2 reads and 2 writes.
 * The pivot (and the border) is read twice for all parts together. */
kol_status tridiag_solve(struct tridiag t, double scale, double *values);

/* tridiag_solve_once: does the same for columns of two parts in one pass. It does not need pivot, border and
 * mean, which may be NULL. Per value: 1 read, 1 write.
 *
 * tridiag_once_there: returns whether there is such a kernel for n levels on the GPU in use. The CPU build
 * has none. */
int tridiag_once_there(int n);
kol_status tridiag_solve_once(struct tridiag t, double scale, double *values);
/* tridiag_solve_once_single: does the same with values, and all arithmetic on them, in single precision. */
kol_status tridiag_solve_once_single(struct tridiag t, double scale, float *values);

/* tridiag_diagonal: multiplies value ((k nb + j) na + i) parts + p by scale / (la[i] + lb[j] + lc[k]), or by
 * 0 if that sum is 0. Per value: 1 read, 1 write. */
kol_status tridiag_diagonal(const int n[3], int parts, const double *la, const double *lb, const double *lc,
                            double scale, double *values);

KOL_END_C

#endif
