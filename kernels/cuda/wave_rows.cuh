/* Waves of a periodic box in a thread's column: the functions of x there, and the amplitudes of a row, which
 * all threads of a warp read at once. */
#ifndef KOL_CUDA_WAVE_ROWS_CUH
#define KOL_CUDA_WAVE_ROWS_CUH

#include "../point/box_forcing.h"

/* pair_of_values: two neighbours that are read together, at a place that is a multiple of 16 bytes. */
struct __align__(16) pair_of_values
{
    double a, b;
};

__device__ __forceinline__ struct pair_of_values pair_at(const double *from)
{
    return *(const struct pair_of_values *)from;
}

/* wave_column: the functions of x in a column, but for function 0, which is 1. */
struct wave_column {
    double x[BOX_QUAD];
};

__device__ __forceinline__ struct wave_column wave_column_of(struct box b, struct box_rows rows, int i)
{
    struct wave_column c;
#pragma unroll
    for (int f = 1; f < BOX_FUNCTIONS; ++f) c.x[f - 1] = rows.x[f * b.nx + i];
    return c;
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
 * point_box_waved(). */
__device__ __forceinline__ void wave_column_add(struct box b, struct box_rows rows,
                                                const struct wave_column &c, int j, int k, real &u, real &v,
                                                real &w)
{
    const double *row = rows.row + ((ptrdiff_t)k * b.ny + j) * BOX_ROW;
    const struct pair_of_values first = pair_at(row);
    u = wave_column_sum(c, u, first.a, row + point_box_place(X, 1));
    v = wave_column_sum(c, v, first.b, row + point_box_place(Y, 1));
    w = wave_column_sum(c, w, row[Z], row + point_box_place(Z, 1));
}

#endif
