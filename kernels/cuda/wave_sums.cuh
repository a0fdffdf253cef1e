/* Sums of the velocity times the waves of a periodic box, in a sweep upwards in z.
 *
 * A thread has one column, and the sums of velocity times each function of z stay in its registers. At the
 * top of a block of the grid the sums over x and y follow in shared memory: over the columns of each row of
 * the piece, then over its rows. Each sum has a fixed order. They are rounded to whole numbers, so that it
 * doesn't matter in which order the pieces are added. */
#ifndef KOL_CUDA_WAVE_SUMS_CUH
#define KOL_CUDA_WAVE_SUMS_CUH

#include "../box_forcing.h"
#include "reduce.cuh"

/* folding: values in shared memory: the sums of all columns, with a column between rows so that the rows lie
 * in different banks; and the sums of all rows. */
enum { ROWS_MOST = PIECE_THREADS / PIECE_NARROW, COLUMN_SUMS = PIECE_THREADS + ROWS_MOST };
enum { ROW_SUMS = BOX_FUNCTIONS * BOX_FUNCTIONS * ROWS_MOST };
struct folding {
    double column[BOX_FUNCTIONS * COLUMN_SUMS], row[ROW_SUMS];
};

__device__ __forceinline__ const double *box_table(const struct box_waves &w, int d, int c)
{
    return w.table[d][d != c];
}

/* wave_part: the sums of the functions of z in a thread's column, for each component. */
struct wave_part {
    double of[3][BOX_FUNCTIONS];
};

/* wave_part_add: adds the velocities u, v, w of the cell at level k. Function 0 is 1. */
__device__ __forceinline__ void wave_part_add(struct wave_part &part, const struct box_waves &waves, int nz,
                                              int k, real u, real v, real w)
{
    const double *const centre = waves.table[Z][1] + k, *const face = waves.table[Z][0] + k;
    part.of[X][0] += u;
    part.of[Y][0] += v;
    part.of[Z][0] += w;
#pragma unroll
    for (int f = 1; f < BOX_FUNCTIONS; ++f) {
        const double at_centre = __ldg(centre + f * nz);
        part.of[X][f] += u * at_centre;
        part.of[Y][f] += v * at_centre;
        part.of[Z][f] += w * __ldg(face + f * nz);
    }
}

/* wave_component_fold: adds up one component over a piece. Its loops have several loads under way, since half
 * of the threads of a multiprocessor wait for them. */
__device__ __forceinline__ void wave_component_fold(struct box b, const struct box_wave_sums &sums,
                                                    const struct march &m, const struct tile &t, int c,
                                                    const double (&part)[BOX_FUNCTIONS], long long *total,
                                                    struct folding &shared)
{
    const struct box_waves &w = sums.waves;
    const int width = 1 << m.p.shift, rows = m.p.rows, thread = (int)threadIdx.x;
    const int row = thread >> m.p.shift, column = thread & (width - 1), stride = width + 1;
#pragma unroll
    for (int f = 0; f < BOX_FUNCTIONS; ++f) shared.column[(f * rows + row) * stride + column] = part[f];
    __syncthreads();
    const double *x = box_table(w, X, c), *y = box_table(w, Y, c);
    for (int q = thread; q < BOX_FUNCTIONS * BOX_FUNCTIONS * rows; q += PIECE_THREADS) {
        const int r = q % rows, f = q / rows % BOX_FUNCTIONS, g = q / rows / BOX_FUNCTIONS;
        const double *from = shared.column + (f * rows + r) * stride, *by = x + g * b.nx + t.x0;
        double sum = 0;
#pragma unroll 4
        for (int i = 0; i < t.x1 - t.x0; ++i) sum += from[i] * by[i];
        shared.row[(f * BOX_FUNCTIONS + g) * rows + r] = sum;
    }
    __syncthreads();
    for (int n = thread; n < w.count; n += PIECE_THREADS) {
        const double *from = shared.row + (w.function[Z][n] * BOX_FUNCTIONS + w.function[X][n]) * rows;
        const double *by = y + w.function[Y][n] * b.ny + t.y0;
        double sum = 0;
#pragma unroll 4
        for (int r = 0; r < t.y1 - t.y0; ++r) sum += from[r] * by[r];
        atomicAdd((unsigned long long *)total + c * BOX_PRODUCTS + n,
                  (unsigned long long)llrint(sum * sums.scale));
    }
}

/* wave_part_fold: adds up the parts of all columns of a piece at the top of a layer of blocks, and sets them
 * to 0. The parts of columns that are not own must be 0. All threads must call it. Neighbouring thread blocks
 * add to different copies of the totals, because additions to one place wait for each other. */
__device__ __forceinline__ void wave_part_fold(struct box b, const struct box_wave_sums &sums,
                                               const struct march &m, const struct tile &t,
                                               struct wave_part &part)
{
    __shared__ struct folding shared;
    const unsigned number = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    long long *const total = sums.total + number % BOX_COPIES * BOX_COPY;
#pragma unroll
    for (int c = X; c <= Z; ++c) {
        wave_component_fold(b, sums, m, t, c, part.of[c], total, shared);
#pragma unroll
        for (int f = 0; f < BOX_FUNCTIONS; ++f) part.of[c][f] = 0;
    }
}

#endif
