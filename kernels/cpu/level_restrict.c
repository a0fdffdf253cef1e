/* Restricts a residual from a level to the next coarser one. */
#include "../level.h"
#include "../point/level.h"
#include "cells.h"

/* Rows are combined over y and z first: contiguous values, in pieces on the stack. Then they are gathered
 * along x. */
enum { PIECE = 256, PIECE_FINE = 2 * PIECE + 2 };

/* weighted: a row and its weight. */
struct weighted {
    int index;
    level_real weight;
};

static int fine_rows(struct level_transfer t, int coarse, struct weighted w[LEVEL_FINE])
{
    int n = 0;
    for (int m = 0; m < LEVEL_FINE; ++m) {
        const struct weighted a = {point_level_fine(t, coarse, m), point_level_weight(t, coarse, m)};
        if (a.weight != 0) w[n++] = a;
    }
    return n;
}

/* Computes sum[i] = the weighted sum over y and z for coarse row (J, K), for the n columns from `first`
 * on. */
static void rows_over_y_and_z(struct box lb, const struct weighted *y, int ny, const struct weighted *z,
                              int nz, int first, int n, const level_real *q, level_real *KOL_RESTRICT sum)
{
    level_real row[PIECE_FINE];
    for (int i = 0; i < n; ++i) sum[i] = 0;
    for (int b = 0; b < nz; ++b) {
        for (int i = 0; i < n; ++i) row[i] = 0;
        for (int a = 0; a < ny; ++a) {
            const level_real *KOL_RESTRICT from = q + at(lb, first, y[a].index, z[b].index);
            const level_real weight = y[a].weight;
#pragma omp simd
            for (int i = 0; i < n; ++i) row[i] += weight * from[i];
        }
#pragma omp simd
        for (int i = 0; i < n; ++i) sum[i] += z[b].weight * row[i];
    }
}

/* Computes n coarse cells of a row from the sums. sum[0] is the sum of fine column `first`. */
static void restrict_x(struct level_transfer t, int coarse, int n, int first,
                       const level_real *KOL_RESTRICT sum, level_real *KOL_RESTRICT to)
{
#pragma omp simd
    for (int a = 0; a < n; ++a) {
        level_real v = 0;
        for (int m = 0; m < LEVEL_FINE; ++m) {
            const level_real weight = point_level_weight(t, coarse + a, m);
            v += weight != 0 ? weight * sum[point_level_fine(t, coarse + a, m) - first] : 0;
        }
        to[a] = v;
    }
}

kol_status level_restrict(struct box lb, struct cells cells, struct level_transfers t, const int n_coarse[3],
                          struct box cb, const level_real *q, level_real *r_coarse)
{
    level_real sum[PIECE_FINE];
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < n_coarse[Z]; ++k) {
        struct weighted z[LEVEL_FINE], y[LEVEL_FINE];
        const int nz = fine_rows(t.z, k, z);
        for (int j = 0; j < n_coarse[Y]; ++j) {
            const int ny = fine_rows(t.y, j, y);
            for (int i = 0; i < n_coarse[X]; i += PIECE) {
                const int n = n_coarse[X] - i < PIECE ? n_coarse[X] - i : PIECE;
                const int first = t.x.first[i] - 1, end = t.x.first[i + n] + 1;
                rows_over_y_and_z(lb, y, ny, z, nz, first, end - first, q, sum);
                restrict_x(t.x, i, n, first, sum, r_coarse + at(cb, i, j, k));
            }
        }
    }
    return KOL_OK;
}
