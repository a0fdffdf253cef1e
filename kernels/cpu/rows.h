/* Sums of the CPU kernels, taken in several stages.
 *
 * A kernel writes the terms of one row to bl.rows. lanes_row_sum and lanes_row_max add these terms to the
 * running sums of each block, of which there are KOL_LANES. A term goes to the lane whose number is its place
 * in the block's row modulo KOL_LANES. So the order of addition depends on the block alone, and the loop
 * vectorises. lanes_flush adds up the lanes of a finished layer of blocks. */
#ifndef KOL_CPU_ROWS_H
#define KOL_CPU_ROWS_H

#include <string.h>
#include "../base/types.h"

static inline double *rows_of(struct blocks bl, struct box b, int quantity)
{
    return bl.rows + (ptrdiff_t)quantity * b.nx;
}

/* rows_volume: puts V a of row (j, k) into the row of a quantity. wx, wy, wz: widths of the volumes. */
static inline void rows_volume(struct blocks bl, struct box b, int quantity, const real *wx, const real *wy,
                               const real *wz, int j, int k, const real *a)
{
    const ptrdiff_t o = at(b, 0, j, k);
    double *KOL_RESTRICT sum = rows_of(bl, b, quantity);
#pragma omp simd
    for (int i = 0; i < b.nx; ++i) sum[i] = (double)wx[i] * wy[j] * wz[k] * a[o + i];
}

static inline double *lanes_of(struct blocks bl, int quantity, int by)
{
    return bl.lanes + ((ptrdiff_t)quantity * bl.ny + by) * bl.nx * KOL_LANES;
}

/* lanes_clear: sets all sums and maxima to 0. Maxima start from 0, too, because they are maxima of
 * magnitudes. */
static inline void lanes_clear(struct blocks bl, int quantities)
{
    memset(bl.lanes, 0, (size_t)quantities * (size_t)(bl.nx * bl.ny * KOL_LANES) * sizeof *bl.lanes);
}

/* half_values: half of KOL_LANES doubles side by side, at any address. Compilers produce slow code for loops
 * that do the same, and for vectors that are wider than the registers. */
enum { HALF_LANES = KOL_LANES / 2 };
typedef double half_values __attribute__((vector_size(HALF_LANES * sizeof(double)), aligned(8), may_alias));
typedef long long half_bits __attribute__((vector_size(HALF_LANES * sizeof(double)), may_alias));

static inline const half_values *half_at(const double *a)
{
    return (const half_values *)a;
}

/* half_raise: replaces each value of *most by the value of `a` if that is larger. Vectors are passed by
 * address. If a function returned a vector, its calling convention would depend on the registers that the
 * compiler may use. */
static inline void half_raise(half_values *most, const double *a)
{
    const half_values v = *half_at(a);
    const half_bits larger = v > *most;
    *most = (half_values)((larger & (half_bits)v) | (~larger & (half_bits)*most));
}

static inline void lanes_row_sum(struct blocks bl, double *lane, const double *row)
{
    for (int bx = 0; bx < bl.nx; ++bx, lane += KOL_LANES) {
        const double *a = row + bl.x[bx];
        const int n = bl.x[bx + 1] - bl.x[bx];
        int i = 0;
        if (n >= KOL_LANES) {
            half_values low = *half_at(lane), high = *half_at(lane + HALF_LANES);
            for (; i + KOL_LANES <= n; i += KOL_LANES) {
                low += *half_at(a + i);
                high += *half_at(a + i + HALF_LANES);
            }
            *(half_values *)lane = low;
            *(half_values *)(lane + HALF_LANES) = high;
        }
        for (int l = 0; i + l < n; ++l) lane[l] += a[i + l];
    }
}

static inline void lanes_row_max(struct blocks bl, double *lane, const double *row)
{
    for (int bx = 0; bx < bl.nx; ++bx, lane += KOL_LANES) {
        const double *a = row + bl.x[bx];
        const int n = bl.x[bx + 1] - bl.x[bx];
        int i = 0;
        if (n >= KOL_LANES) {
            half_values low = *half_at(lane), high = *half_at(lane + HALF_LANES);
            for (; i + KOL_LANES <= n; i += KOL_LANES) {
                half_raise(&low, a + i);
                half_raise(&high, a + i + HALF_LANES);
            }
            *(half_values *)lane = low;
            *(half_values *)(lane + HALF_LANES) = high;
        }
        for (int l = 0; i + l < n; ++l) lane[l] = a[i + l] > lane[l] ? a[i + l] : lane[l];
    }
}

/* lanes_flush: adds up the lanes of the blocks of layer bz into bl.part. The sums come first, the maxima
 * after them. */
static inline void lanes_flush(struct blocks bl, int sums, int maxima, int bz)
{
    const int columns = bl.nx * bl.ny;
    for (int q = 0; q < sums + maxima; ++q) {
        const double *lane = lanes_of(bl, q, 0);
        double *part = bl.part + ((ptrdiff_t)q * bl.nz + bz) * columns;
        for (int c = 0; c < columns; ++c, lane += KOL_LANES) {
            double v[KOL_LANES];
            for (int l = 0; l < KOL_LANES; ++l) v[l] = lane[l];
            for (int half = KOL_LANES / 2; half > 0; half /= 2) {
                for (int l = 0; l < half; ++l)
                    v[l] = q < sums ? v[l] + v[l + half] : (v[l] > v[l + half] ? v[l] : v[l + half]);
            }
            part[c] = v[0];
        }
    }
}

#endif
