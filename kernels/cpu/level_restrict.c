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

/* Does so for two rows in each direction, the usual number, in one loop with the same additions. */
static void two_rows_over_y_and_z(struct box lb, const struct weighted *y, const struct weighted *z,
                                  int first, int n, const level_real *q, level_real *KOL_RESTRICT sum)
{
    const level_real *KOL_RESTRICT ll = q + at(lb, first, y[0].index, z[0].index),
                                   *KOL_RESTRICT hl = q + at(lb, first, y[1].index, z[0].index),
                                   *KOL_RESTRICT lh = q + at(lb, first, y[0].index, z[1].index),
                                   *KOL_RESTRICT hh = q + at(lb, first, y[1].index, z[1].index);
    const level_real y0 = y[0].weight, y1 = y[1].weight, z0 = z[0].weight, z1 = z[1].weight, none = 0;
#pragma omp simd
    for (int i = 0; i < n; ++i) {
        const level_real low = (none + y0 * ll[i]) + y1 * hl[i], high = (none + y0 * lh[i]) + y1 * hh[i];
        sum[i] = (none + z0 * low) + z1 * high;
    }
}

/* Computes sum[i] = the weighted sum over y and z for coarse row (J, K), for the n columns from `first`
 * on. */
static void rows_over_y_and_z(struct box lb, const struct weighted *y, int ny, const struct weighted *z,
                              int nz, int first, int n, const level_real *q, level_real *KOL_RESTRICT sum)
{
    level_real row[PIECE_FINE];
    if (ny == 2 && nz == 2) {
        two_rows_over_y_and_z(lb, y, z, first, n, q, sum);
        return;
    }
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

/* columns: where the coarse cells of a piece gather from, the same in all rows: places in the sums and
 * weights. pairs: all of them have two fine cells each, one after the other, and no others. */
struct columns {
    int first, end, pairs; /* fine columns */
    int place[LEVEL_FINE][PIECE];
    level_real weight[LEVEL_FINE][PIECE];
};

static void columns_make(struct level_transfer t, int coarse, int n, struct columns *c)
{
    c->first = t.first[coarse] - 1;
    c->end = t.first[coarse + n] + 1;
    c->pairs = 1;
    for (int a = 0; a < n; ++a) {
        for (int m = 0; m < LEVEL_FINE; ++m) {
            const level_real weight = point_level_weight(t, coarse + a, m);
            c->weight[m][a] = weight;
            c->place[m][a] = weight != 0 ? point_level_fine(t, coarse + a, m) - c->first : 0;
            c->pairs = c->pairs && (m == 1 || m == 2 ? c->place[m][a] == 2 * a + m : weight == 0);
        }
    }
}

/* Computes n coarse cells of a row from the sums. sum[0] is the sum of fine column c->first. */
static void restrict_x(const struct columns *c, int n, const level_real *KOL_RESTRICT sum,
                       level_real *KOL_RESTRICT to)
{
    const level_real none = 0;
    if (c->pairs) {
#pragma omp simd
        for (int a = 0; a < n; ++a)
            to[a] = (none + c->weight[1][a] * sum[2 * a + 1]) + c->weight[2][a] * sum[2 * a + 2];
        return;
    }
#pragma omp simd
    for (int a = 0; a < n; ++a) {
        level_real v = 0;
        for (int m = 0; m < LEVEL_FINE; ++m)
            v += c->weight[m][a] != 0 ? c->weight[m][a] * sum[c->place[m][a]] : 0;
        to[a] = v;
    }
}

kol_status level_restrict(struct box lb, struct cells cells, struct level_transfers t, const int n_coarse[3],
                          struct box cb, const level_real *q, level_real *r_coarse)
{
    level_real sum[PIECE_FINE];
    struct columns x;
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int i = 0; i < n_coarse[X]; i += PIECE) {
        const int n = n_coarse[X] - i < PIECE ? n_coarse[X] - i : PIECE;
        columns_make(t.x, i, n, &x);
        for (int k = 0; k < n_coarse[Z]; ++k) {
            struct weighted z[LEVEL_FINE], y[LEVEL_FINE];
            const int nz = fine_rows(t.z, k, z);
            for (int j = 0; j < n_coarse[Y]; ++j) {
                const int ny = fine_rows(t.y, j, y);
                rows_over_y_and_z(lb, y, ny, z, nz, x.first, x.end - x.first, q, sum);
                restrict_x(&x, n, sum, r_coarse + at(cb, i, j, k));
            }
        }
    }
    return KOL_OK;
}
