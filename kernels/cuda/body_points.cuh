/* Launches over the lists of points beside bodies: a thread takes one point. */
#ifndef KOL_CUDA_BODY_POINTS_CUH
#define KOL_CUDA_BODY_POINTS_CUH

#include "reduce.cuh"

enum { POINT_THREADS = 128 };

static inline unsigned point_blocks(int n)
{
    return (unsigned)((n + POINT_THREADS - 1) / POINT_THREADS);
}

__device__ __forceinline__ int point_number(void)
{
    return (int)(blockIdx.x * POINT_THREADS + threadIdx.x);
}

/* Adds the values of the threads of a thread block by a tree, and leaves the sum as the only piece of block q
 * of the sums that is not 0. The points of a block are in one order on any number of ranks, so the sum has
 * the same bits. */
__device__ __forceinline__ void leave_sum(struct blocks bl, struct pieces p, double value)
{
    __shared__ double part[POINT_THREADS];
    const int t = (int)threadIdx.x, q = (int)blockIdx.x;
    part[t] = value;
    __syncthreads();
    for (int half = POINT_THREADS / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    for (int n = t; n < p.nx * p.ny; n += POINT_THREADS)
        bl.pieces[n * blocks_count(bl) + q] = n == 0 ? part[0] : 0;
}

#endif
