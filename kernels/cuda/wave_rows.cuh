/* Waves of a periodic box in a thread's column: the functions of x there, and the amplitudes of a row, which
 * all threads of a warp read at once. Tiles must be whole warps wide, so that a warp works on one row. */
#ifndef KOL_CUDA_WAVE_ROWS_CUH
#define KOL_CUDA_WAVE_ROWS_CUH

#include "../point/box_forcing.h"
#include "tile.cuh"

/* pair_of_values: two neighbours that are read together, at a place that is a multiple of 16 bytes. */
struct __align__(16) pair_of_values
{
    double a, b;
};

__device__ __forceinline__ struct pair_of_values pair_at(const double *from)
{
    return *(const struct pair_of_values *)from;
}

/* wave_column: what a thread has for its column.
 *
 *   x      the functions of x, but for function 0, which is 1
 *   row    place for the amplitudes of the warp's row, in shared memory
 *   lane   its place in the warp; lanes: number of threads of the warp that have a column */
struct wave_column {
    double x[BOX_QUAD];
    double *row;
    int lane, lanes;
};

__device__ __forceinline__ struct wave_column wave_column_of(struct box b, struct box_rows rows,
                                                             const struct tile &t)
{
    __shared__ __align__(16) double row[TILE_MOST / PIECE_WARP][BOX_ROW];
    struct wave_column c;
    c.row = row[(threadIdx.y * blockDim.x + threadIdx.x) / PIECE_WARP];
    c.lane = (int)threadIdx.x % PIECE_WARP;
    c.lanes = min(t.x1 - (t.i - c.lane), (int)PIECE_WARP);
#pragma unroll
    for (int f = 1; f < BOX_FUNCTIONS; ++f) c.x[f - 1] = rows.x[f * b.nx + t.i];
    return c;
}

__device__ __forceinline__ const double *wave_row(struct box b, struct box_rows rows, int j, int k)
{
    return rows.row + ((ptrdiff_t)k * b.ny + j) * BOX_ROW;
}

/* wave_column_load: loads the thread's share of the amplitudes of row (j, k). It is called beside the loads
 * of fields, so that all of them run at the same time. */
__device__ __forceinline__ double wave_column_load(struct box b, struct box_rows rows,
                                                   const struct wave_column &c, int j, int k)
{
    return wave_row(b, rows, j, k)[c.lane % BOX_ROW];
}

/* wave_column_sum: returns u with the waves of component d, from the row's amplitude of function 0 and from
 * its others at a. */
__device__ __forceinline__ real wave_column_sum(const struct wave_column &c, real u, double first,
                                                const double *a)
{
    const struct pair_of_values one = pair_at(a), two = pair_at(a + 2);
    return (real)(u + (first + one.a * c.x[0] + one.b * c.x[1] + two.a * c.x[2] + two.b * c.x[3]));
}

/* wave_column_add: adds the waves to the velocity of the column's cell in row (j, k), by the sums of
 * point_box_waved(). share: from wave_column_load(). The threads of a warp give their shares to each other,
 * so all that have a column must call it. */
__device__ __forceinline__ void wave_column_add(struct box b, struct box_rows rows,
                                                const struct wave_column &c, int j, int k, double share,
                                                real &u, real &v, real &w)
{
    __syncwarp(); /* the row of the plane before has been read */
    if (c.lane < BOX_ROW) c.row[c.lane] = share;
#pragma unroll 1 /* only a narrow end of a row needs it */
    for (int n = c.lane + c.lanes; n < BOX_ROW; n += c.lanes) c.row[n] = wave_row(b, rows, j, k)[n];
    __syncwarp();
    const struct pair_of_values first = pair_at(c.row);
    u = wave_column_sum(c, u, first.a, c.row + point_box_place(X, 1));
    v = wave_column_sum(c, v, first.b, c.row + point_box_place(Y, 1));
    w = wave_column_sum(c, w, c.row[Z], c.row + point_box_place(Z, 1));
}

#endif
