/* The last direction of the exact inverse (docs/numerics/direct.md): many tridiagonal systems, or a division
 * where that direction is transformed too. Double in both precisions. All arrays in kernel memory; in the
 * queue in use. */
#ifndef KOL_TRIDIAG_H
#define KOL_TRIDIAG_H

#include "base/status.h"

KOL_BEGIN_C

/* tridiag: na x nb columns of n levels. Column (a, b) has the matrix
 *
 *     row i:  (g[i] + g[i+1] + lambda w[i]) z[i] - g[i] z[i-1] - g[i+1] z[i+1] ,      lambda = la[a] + lb[b]
 * >= 0
 *
 * where z[-1] is z[n-1] and z[n] is z[0]; g[n] = g[0], both 0 without walls' flux, then border is NULL. n
 * >= 2. Level i of column (a, b), part p of `parts`, 1 or 2: value ((i nb + b) na + a) parts + p; the parts
 * share a matrix. pivot, border: na nb n values that tridiag_factor() makes. zero: the singular column lambda
 * = 0 is column 0 of this rank. */
struct tridiag {
    int n, na, nb, parts, zero;
    const double *la, *lb, *w, *g;
    double *pivot, *border;
    double *mean; /* 2 values of scratch */
};

/* tridiag_factor: once; divisions are done here. */
kol_status tridiag_factor(struct tridiag t);
/* tridiag_solve: in place, solutions for scale times the right-hand sides. The singular column: the sum of
 * its right-hand side is taken off first, in proportion to w; the last value is pinned at zero for the
 * sweeps; then the mean, weighted by w, is taken off. A value: 2 reads, 2 writes, and 2 reads of the pivot
 * (and border) for all parts together. */
kol_status tridiag_solve(struct tridiag t, double scale, double *values);

/* tridiag_solve_once: the same for columns of two parts, without pivot, border and mean, which may be NULL: 1
 * read, 1 write. tridiag_once_there: whether there is such a kernel for n levels on the GPU in use; none in
 * the CPU build. */
int tridiag_once_there(int n);
kol_status tridiag_solve_once(struct tridiag t, double scale, double *values);

/* tridiag_diagonal: value ((k nb + j) na + i) parts + p becomes scale / (la[i] + lb[j] + lc[k]) times itself,
 * 0 where that sum is 0. 1 read, 1 write. */
kol_status tridiag_diagonal(const int n[3], int parts, const double *la, const double *lb, const double *lc,
                            double scale, double *values);

KOL_END_C

#endif
