/* The operator of a level at one point of a row, for the CPU kernels of levels. */
#ifndef KOL_CPU_LEVEL_ROWS_H
#define KOL_CPU_LEVEL_ROWS_H

#include "../level.h"
#include "../point/level.h"
#include "cells.h"

/* A loop over a row is written once, with constant flags. */
#define ROW_LOOP __attribute__((always_inline)) static inline void

/* around_row: the rows next to one row. Where no flux passes, the neighbouring row is replaced by the row
 * itself, so that nothing beyond a wall is read. */
struct around_row {
    const level_real *c, *yl, *yh, *zl, *zh;
};

static inline struct around_row around_row(struct box b, struct level_stencil s, int j, int k,
                                           const level_real *z)
{
    struct around_row a;
    a.c = z + at(b, 0, j, k);
    a.yl = s.gy[j] != 0 ? a.c - b.sy : a.c;
    a.yh = s.gy[j + 1] != 0 ? a.c + b.sy : a.c;
    a.zl = s.gz[k] != 0 ? a.c - b.sz : a.c;
    a.zh = s.gz[k + 1] != 0 ? a.c + b.sz : a.c;
    return a;
}

static inline level_real apply(struct level_stencil s, struct level_column c, struct level_plane h,
                               struct around_row a, int i)
{
    const level_real z = a.c[i];
    const level_real xl = s.gx[i] != 0 ? a.c[i - 1] : z, xh = s.gx[i + 1] != 0 ? a.c[i + 1] : z;
    return point_level_apply(c, h, z, xl, xh, a.yl[i], a.yh[i], a.zl[i], a.zh[i]);
}

#endif
