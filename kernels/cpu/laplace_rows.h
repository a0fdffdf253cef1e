/* Helpers that the CPU kernels of the 7-point operator share: the operator at one point of a row, and the
 * test whether an iteration has ended. */
#ifndef KOL_CPU_LAPLACE_ROWS_H
#define KOL_CPU_LAPLACE_ROWS_H

#include "../laplace.h"
#include "../point/laplace.h"
#include "../point/projection.h"
#include "cells.h"
#include "rows.h"

/* A loop over a row is written once, with constant flags. If x is uniform, the coefficients and the inverse
 * diagonal are computed outside the loop; they are the same numbers. With bodies the coefficients of closed
 * faces are removed in each cell. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

static inline int over(const struct cg_state *cg)
{
    return cg != NULL && cg->outcome != CG_RUNNING;
}

static inline real apply(struct box b, struct stencil s, struct lap_coef c, const real *x, ptrdiff_t q)
{
    return point_lap_apply(c, s.shift, x[q], x[q - 1], x[q + 1], x[q - b.sy], x[q + b.sy], x[q - b.sz],
                           x[q + b.sz]);
}

/* coef_open: returns the coefficients of cell i in row (j, k), which begins at o, in a box with bodies. row:
 * the coefficients without bodies if x is uniform. */
static inline struct lap_coef coef_open(struct stencil s, struct lap_coef row, const int uniform, int i,
                                        int j, int k, ptrdiff_t o)
{
    return point_lap_coef_open(uniform ? row : point_lap_coef(s, i, j, k), s.shift, s.open[o + i]);
}

#endif
