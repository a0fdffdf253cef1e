/* Staged sums of the CUDA kernels. One thread block takes one reduction block of struct blocks: thread t walks the
 * columns t, t + SUM_THREADS, ... of the block (x fastest), each upwards in z, and adds its terms in double; the
 * threads' sums are folded by a tree over the warp and a tree over the warps. The order depends on the extent of
 * the reduction block and on nothing else, so the partial sums are the same bits on any number of ranks. */
#ifndef KOL_CUDA_REDUCE_CUH
#define KOL_CUDA_REDUCE_CUH

#include "../base/types.h"

enum { SUM_WARP = 32, SUM_WARPS = 8, SUM_THREADS = SUM_WARP * SUM_WARPS };

static inline dim3 sum_grid(struct blocks bl)
{
    return dim3((unsigned)bl.nx, (unsigned)bl.ny, (unsigned)bl.nz);
}

/* sum_larger: a NaN in a is dropped, as in the CPU build; sums carry NaN. */
__device__ __forceinline__ double sum_larger(double a, double b)
{
    return a > b ? a : b;
}

/* sum_fold: the parts of all threads into bl.part. Every thread of the block must come here, once a kernel. */
template <int SUMS, int MAXIMA> __device__ __forceinline__ void sum_fold(struct blocks bl, const double *part)
{
    __shared__ double of_warp[SUMS + MAXIMA][SUM_WARPS];
    const int lane = (int)threadIdx.x % SUM_WARP, warp = (int)threadIdx.x / SUM_WARP;
#pragma unroll
    for (int n = 0; n < SUMS + MAXIMA; ++n) {
        double v = part[n];
#pragma unroll
        for (int half = SUM_WARP / 2; half > 0; half /= 2) {
            const double other = __shfl_down_sync(0xffffffffu, v, (unsigned)half);
            v = n < SUMS ? v + other : sum_larger(other, v);
        }
        if (lane == 0) of_warp[n][warp] = v;
    }
    __syncthreads();
    const int n = (int)threadIdx.x;
    if (n >= SUMS + MAXIMA) return;
    double v[SUM_WARPS];
#pragma unroll
    for (int l = 0; l < SUM_WARPS; ++l) v[l] = of_warp[n][l];
#pragma unroll
    for (int half = SUM_WARPS / 2; half > 0; half /= 2) {
#pragma unroll
        for (int l = 0; l < half; ++l) v[l] = n < SUMS ? v[l] + v[l + half] : sum_larger(v[l + half], v[l]);
    }
    const ptrdiff_t layer = (ptrdiff_t)n * bl.nz + (int)blockIdx.z;
    bl.part[(layer * bl.ny + (int)blockIdx.y) * bl.nx + (int)blockIdx.x] = v[0];
}

/* sum_cells: cell(i, j, k, part) for every cell of this thread's columns, then the fold. cell adds its terms to
 * part[0 .. SUMS-1] and raises part[SUMS .. SUMS+MAXIMA-1] with sum_larger; maxima are of magnitudes, from 0. */
template <int SUMS, int MAXIMA, class Cell>
__device__ __forceinline__ void sum_cells(struct blocks bl, Cell cell)
{
    double part[SUMS + MAXIMA];
#pragma unroll
    for (int n = 0; n < SUMS + MAXIMA; ++n) part[n] = 0;
    const int x0 = bl.x[blockIdx.x], ex = bl.x[blockIdx.x + 1] - x0;
    const int y0 = bl.y[blockIdx.y], ey = bl.y[blockIdx.y + 1] - y0;
    const int z0 = bl.z[blockIdx.z], z1 = bl.z[blockIdx.z + 1];
    for (int c = (int)threadIdx.x; c < ex * ey; c += SUM_THREADS) {
        const int i = x0 + c % ex, j = y0 + c / ex;
        for (int k = z0; k < z1; ++k) cell(i, j, k, part);
    }
    sum_fold<SUMS, MAXIMA>(bl, part);
}

#endif
