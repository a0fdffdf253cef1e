/* One direction of a grid of the multigrid preconditioner. */
#ifndef KOL_POISSON_MULTIGRID_LINE_H
#define KOL_POISSON_MULTIGRID_LINE_H

#include "kernels/base/status.h"

/* line: one direction of a level, for the complete grid, in host memory. */
struct line {
    int n, periodic;
    double *width; /* n cell widths, in units of levels.unit */
};

/* line_make: makes a direction of n cells, whose widths the caller fills and frees. KOL_ERR_MEMORY if there
 * is no memory. */
kol_status line_make(int n, int periodic, struct line *out);
/* line_fold: takes any index i of a periodic direction of n cells to 0 .. n-1. */
int line_fold(int i, int n);
/* line_inverse: returns the inverse distance of centres i - 1 and i, for any i; 0 where no flux passes. */
double line_inverse(const struct line *l, int i);

#endif
