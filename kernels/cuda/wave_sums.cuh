/* Sums of the velocity times the waves of a periodic box, in a sweep upwards in z.
 *
 * A thread has one column, and the sums of velocity times each function of z stay in its registers. At the
 * top of a block of the grid the sums over x and y follow in shared memory: each warp adds the columns of its
 * rows, and then the rows of the piece are added. Each sum has a fixed order. They are rounded to whole
 * numbers, so that it doesn't matter in which order the pieces are added. */
#ifndef KOL_CUDA_WAVE_SUMS_CUH
#define KOL_CUDA_WAVE_SUMS_CUH

#include "../box_forcing.h"
#include "reduce.cuh"
#include "wave_rows.cuh"

enum { WAVE_PAIRS = BOX_FUNCTIONS * BOX_FUNCTIONS, ROWS_MOST = PIECE_THREADS / PIECE_NARROW };

/* folding: what the threads of a piece have in shared memory:
 *
 *   column   the sums of all columns of a warp, by function of z. Two more values between these let the
 *            functions lie in different banks, and in pairs of 16 bytes
 *   x, y     functions of x and y of the piece; beyond its own cells 0
 *
 * folding_values: number of values of the sums of all rows of a piece, by row, component, function of z and
 * function of x. They are in dynamic shared memory, because a piece has 8 to 32 rows. */
enum { FOLD_COLUMNS = PIECE_WARP + 2, FOLD_ROW = 3 * WAVE_PAIRS };
struct __align__(16) folding
{
    double column[PIECE_WARPS][BOX_FUNCTIONS][FOLD_COLUMNS], x[BOX_FUNCTIONS][FOLD_COLUMNS];
    double y[BOX_FUNCTIONS][ROWS_MOST];
};

HD int folding_values(const struct march &m)
{
    return FOLD_ROW * m.p.rows;
}

/* wave_level: what a level of a tile has in shared memory: the width of its cells and its inverse, and the
 * functions of z but for function 0. In the L1 cache the fields that go through it would displace them, and
 * each level would wait for the L2 cache.
 *
 * wave_levels_bytes: bytes of the levels of a tile. wave_levels_load: fills them; a barrier must follow. */
struct __align__(16) wave_level
{
    double inverse, width, z[BOX_QUAD];
};

static inline size_t wave_levels_bytes(struct blocks bl, const struct march &m)
{
    return sizeof(struct wave_level) * (size_t)(m.layers * bl.widest[Z]);
}

__device__ __forceinline__ void wave_levels_load(struct metrics m, const struct box_waves &waves,
                                                 const struct tile &t, struct wave_level *level)
{
    for (int n = (int)threadIdx.x; n < BOX_QUAD * (t.z1 - t.z0); n += PIECE_THREADS) {
        const int k = n / BOX_QUAD, f = n % BOX_QUAD;
        level[k].z[f] = waves.z[BOX_QUAD * t.z0 + n];
        if (f == 0) level[k].inverse = m.dzi_c[t.z0 + k];
        if (f == 1) level[k].width = m.dz_c[t.z0 + k];
    }
}

/* folding_of: returns the one of a thread block. */
__device__ __forceinline__ struct folding &folding_of(void)
{
    __shared__ struct folding shared;
    return shared;
}

/* folding_begin: fills the functions of x and y. All threads of the block must call it. */
__device__ __forceinline__ void folding_begin(struct box b, const struct box_waves &waves,
                                              const struct march &m, const struct tile &t)
{
    struct folding &shared = folding_of();
    const int width = 1 << m.p.shift, values = width > m.p.rows ? width : m.p.rows;
    for (int q = (int)threadIdx.x; q < BOX_FUNCTIONS * values; q += PIECE_THREADS) {
        const int f = q / values, n = q - f * values;
        if (n < width) shared.x[f][n] = t.x0 + n < t.x1 ? waves.x[f * b.nx + t.x0 + n] : 0;
        if (n < m.p.rows) shared.y[f][n] = t.y0 + n < t.y1 ? waves.y[f * b.ny + t.y0 + n] : 0;
    }
    __syncthreads();
}

/* wave_part: the sums of the functions of z in a thread's column, for each component. */
struct wave_part {
    double of[3][BOX_FUNCTIONS];
};

/* wave_part_add: adds the velocities u, v, w of a cell. z: the functions of z at its level, but for function
 * 0, which is 1. */
__device__ __forceinline__ void wave_part_add(struct wave_part &part, const double *KOL_RESTRICT z, real u,
                                              real v, real w)
{
    const struct pair_of_values one = pair_at(z), two = pair_at(z + 2);
    const double at[BOX_QUAD] = {one.a, one.b, two.a, two.b};
    part.of[X][0] += u;
    part.of[Y][0] += v;
    part.of[Z][0] += w;
#pragma unroll
    for (int f = 1; f < BOX_FUNCTIONS; ++f) {
        part.of[X][f] += u * at[f - 1];
        part.of[Y][f] += v * at[f - 1];
        part.of[Z][f] += w * at[f - 1];
    }
}

/* columns_fold: adds up the columns of a warp for one component. Sums of even and of odd columns are
 * independent, so that one need not wait for the other. */
__device__ __forceinline__ void columns_fold(const struct march &m, int c,
                                             const double (&part)[BOX_FUNCTIONS], struct folding &shared,
                                             double *row)
{
    const int warp = (int)threadIdx.x / PIECE_WARP, lane = (int)threadIdx.x % PIECE_WARP;
    const int shift = m.p.shift, rows = PIECE_WARP >> shift; /* of the warp */
#pragma unroll
    for (int f = 0; f < BOX_FUNCTIONS; ++f) shared.column[warp][f][lane] = part[f];
    __syncwarp();
    for (int q = lane; q < WAVE_PAIRS * rows; q += PIECE_WARP) {
        const int r = q / WAVE_PAIRS, n = q - r * WAVE_PAIRS, f = n / BOX_FUNCTIONS,
                  g = n - f * BOX_FUNCTIONS;
        const double *from = &shared.column[warp][f][r << shift], *x = shared.x[g];
        double even = 0, odd = 0;
#pragma unroll 4
        for (int i = 0; i < 1 << shift; i += 2) {
            const struct pair_of_values value = pair_at(from + i), by = pair_at(x + i);
            even += value.a * by.a;
            odd += value.b * by.b;
        }
        row[(warp * rows + r) * FOLD_ROW + c * WAVE_PAIRS + n] = even + odd;
    }
    __syncwarp();
}

/* rows_fold: adds up the rows of the piece. Each component has FOLD_TASKS threads, some of which may be the
 * same. */
__device__ __forceinline__ void rows_fold(const struct box_wave_sums &sums, const struct march &m,
                                          long long *total, const struct folding &shared, const double *row)
{
    enum { FOLD_TASKS = PIECE_THREADS / 2 };
    const struct box_waves &w = sums.waves;
    for (int q = (int)threadIdx.x; q < 3 * FOLD_TASKS; q += PIECE_THREADS) {
        const int c = q / FOLD_TASKS, n = q % FOLD_TASKS;
        if (n >= w.count) continue;
        const double *from = row + c * WAVE_PAIRS + w.function[Z][n] * BOX_FUNCTIONS + w.function[X][n],
                     *y = shared.y[w.function[Y][n]];
        double sum = 0;
#pragma unroll 8
        for (int r = 0; r < m.p.rows; ++r) sum += from[r * FOLD_ROW] * y[r];
        atomicAdd((unsigned long long *)total + c * BOX_PRODUCTS + n,
                  (unsigned long long)llrint(sum * sums.scale));
    }
}
static_assert((int)BOX_PRODUCTS <= PIECE_THREADS / 2, "a product needs a thread");

/* wave_part_fold: adds up the parts of all columns of a piece at the top of a layer of blocks, and sets them
 * to 0. The parts of columns that are not own must be 0. All threads must call it, and a barrier must follow.
 * row: folding_values() in shared memory. Neighbouring thread blocks add to different copies of the totals,
 * because additions to one place wait for each other. */
__device__ __forceinline__ void wave_part_fold(const struct box_wave_sums &sums, const struct march &m,
                                               struct wave_part &part, double *row)
{
    struct folding &shared = folding_of();
    const unsigned number = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
#pragma unroll
    for (int c = X; c <= Z; ++c) {
        columns_fold(m, c, part.of[c], shared, row);
#pragma unroll
        for (int f = 0; f < BOX_FUNCTIONS; ++f) part.of[c][f] = 0;
    }
    __syncthreads();
    rows_fold(sums, m, sums.total + number % BOX_COPIES * BOX_COPY, shared, row);
}

#endif
