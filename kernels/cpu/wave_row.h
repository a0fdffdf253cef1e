/* Adds a field of waves to a row of the grid. */
#ifndef KOL_CPU_WAVE_ROW_H
#define KOL_CPU_WAVE_ROW_H

#include "../point/box_forcing.h"

/* wave_row: adds the waves of component d, if there are any, to row (j, k) of the field u. */
static inline void wave_row(struct box b, struct box_rows rows, int d, int j, int k, real *KOL_RESTRICT u)
{
    if (rows.row == NULL) return;
    u += at(b, 0, j, k);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) u[i] = point_box_waved(b, rows, u[i], d, i, j, k);
}

#endif
