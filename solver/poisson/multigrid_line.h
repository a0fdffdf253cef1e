/* One direction of a grid of the multigrid preconditioner. */
#ifndef KOL_POISSON_MULTIGRID_LINE_H
#define KOL_POISSON_MULTIGRID_LINE_H

/* line: one direction of a level, the whole grid, host memory. */
struct line {
    int n, periodic;
    double *width; /* n cell widths, in units of levels.unit */
};

/* line_fold: index i of a direction of n cells, from any number of turns round it. line_inverse: inverse
 * distance of centres i - 1 and i, any i; 0 where no flux passes. */
int line_fold(int i, int n);
double line_inverse(const struct line *l, int i);

#endif
