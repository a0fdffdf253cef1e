/* Sums powers of velocity increments, and counts increments and fields for probability densities. */
#include "../increments.h"
#include "../point/increments.h"
#include "check.cuh"
#include "queue.cuh"

enum { WARP = 32, THREADS = 256, WARPS = THREADS / WARP, COUNT_BLOCKS = 1024 };

/* clear_counts, hand_on: counts of a thread block in shared memory. They are whole numbers, so the order of
 * addition does not matter. */
__device__ __forceinline__ void clear_counts(unsigned *count, int slots)
{
    for (int n = (int)threadIdx.x; n < slots; n += THREADS) count[n] = 0;
    __syncthreads();
}

__device__ __forceinline__ void hand_on(const unsigned *count, int slots, unsigned long long *to)
{
    __syncthreads();
    for (int n = (int)threadIdx.x; n < slots; n += THREADS)
        if (count[n] > 0) atomicAdd(to + n, (unsigned long long)count[n]);
}

/* fold: adds up the sums of all threads, over lanes and then over warps, in a fixed order. Thread q gets sum
 * q. */
__device__ __forceinline__ double fold(const double (&sum)[INCREMENT_SUMS])
{
    __shared__ double of_warp[INCREMENT_SUMS][WARPS];
    const int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP;
#pragma unroll
    for (int q = 0; q < INCREMENT_SUMS; ++q) {
        double v = sum[q];
#pragma unroll
        for (int half = WARP / 2; half > 0; half /= 2) v += __shfl_down_sync(0xffffffffu, v, (unsigned)half);
        if (lane == 0) of_warp[q][warp] = v;
    }
    __syncthreads();
    double all = 0;
    if (threadIdx.x < INCREMENT_SUMS)
        for (int w = 0; w < WARPS; ++w) all += of_warp[threadIdx.x][w];
    return all;
}

/* increments_kernel: each thread block takes one separation in one group of planes. */
static __global__ void __launch_bounds__(THREADS)
    increments_kernel(const __grid_constant__ struct lines l, const double *values, const double *scale,
                      double *part, unsigned long long *counts)
{
    __shared__ unsigned count[COUNT_SLOTS];
    const int r = (int)blockIdx.x, g = (int)blockIdx.y, s = l.separation[r];
    const bool counting = scale != NULL && r < l.counted;
    const double unit = counting ? scale[r] : 0;
    const ptrdiff_t begin = (ptrdiff_t)l.start[g] * l.rows * l.n,
                    end = (ptrdiff_t)l.start[g + 1] * l.rows * l.n;
    double sum[INCREMENT_SUMS] = {};
    clear_counts(count, COUNT_SLOTS);
#pragma unroll 1
    for (ptrdiff_t p = begin + threadIdx.x; p < end; p += THREADS) {
        const int i = (int)(p % l.n);
        const double d = values[p + (i + s < l.n ? s : s - l.n)] - values[p];
        const struct increment_terms t = increment_powers(d);
        sum[INCREMENT_A1] += t.a1;
        sum[INCREMENT_2] += t.p2;
        sum[INCREMENT_3] += t.p3;
        sum[INCREMENT_A3] += t.a3;
        sum[INCREMENT_4] += t.p4;
        sum[INCREMENT_5] += t.p5;
        sum[INCREMENT_A5] += t.a5;
        sum[INCREMENT_6] += t.p6;
        if (counting) atomicAdd(&count[count_slot(d * unit)], 1u);
    }
    const double all = fold(sum);
    if (threadIdx.x < INCREMENT_SUMS)
        part[((ptrdiff_t)g * l.separations + r) * INCREMENT_SUMS + threadIdx.x] = all;
    if (counting) hand_on(count, COUNT_SLOTS, counts + (ptrdiff_t)r * COUNT_SLOTS);
}

kol_status increments_sum(struct lines l, const double *values, const double *scale, double *part,
                          unsigned long long *counts)
{
    if (l.groups == 0 || l.separations == 0) return KOL_OK;
    increments_kernel<<<dim3((unsigned)l.separations, (unsigned)l.groups), THREADS, 0, queue_stream()>>>(
        l, values, scale, part, counts);
    CUDA_LAUNCHED("increments_sum");
    return KOL_OK;
}

static __global__ void __launch_bounds__(THREADS)
    fields_kernel(struct box b, struct metrics m, const __grid_constant__ struct counted c,
                  const struct moment_fields q, unsigned long long *counts)
{
    __shared__ unsigned count[2 * COUNT_SLOTS];
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz, step = (ptrdiff_t)gridDim.x * THREADS;
    clear_counts(count, 2 * COUNT_SLOTS);
#pragma unroll 1
    for (ptrdiff_t p = (ptrdiff_t)blockIdx.x * THREADS + threadIdx.x; p < cells; p += step) {
        const int i = (int)(p % b.nx), j = (int)(p / b.nx % b.ny), k = (int)(p / b.nx / b.ny);
        double value[6];
        count_values(q, at(b, i, j, k), moment_spacings_x(m, i), moment_spacings_y(m, j),
                     moment_spacings_z(m, k), &c, value);
#pragma unroll
        for (int n = 0; n < 6; ++n) atomicAdd(&count[n / 3 * COUNT_SLOTS + count_slot(value[n])], 1u);
    }
    hand_on(count, 2 * COUNT_SLOTS, counts);
}

kol_status increments_count_fields(struct box b, struct metrics m, struct counted c, real *const vel[3],
                                   unsigned long long *counts)
{
    const struct moment_fields q = {vel[X], vel[Y], vel[Z], NULL, b.sy, b.sz};
    const ptrdiff_t blocks = ((ptrdiff_t)b.nx * b.ny * b.nz + THREADS - 1) / THREADS;
    const unsigned launch = blocks < COUNT_BLOCKS ? (unsigned)blocks : (unsigned)COUNT_BLOCKS;
    fields_kernel<<<launch, THREADS, 0, queue_stream()>>>(b, m, c, q, counts);
    CUDA_LAUNCHED("increments_count_fields");
    return KOL_OK;
}

typedef unsigned long long volume_count;

static __global__ void __launch_bounds__(THREADS)
    volume_kernel(struct box b, struct metrics m, const __grid_constant__ struct counted_volume c,
                  const real *theta, unsigned long long *counts)
{
    __shared__ volume_count count[COUNT_SLOTS];
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz, step = (ptrdiff_t)gridDim.x * THREADS;
    for (int n = (int)threadIdx.x; n < COUNT_SLOTS; n += THREADS) count[n] = 0;
    __syncthreads();
#pragma unroll 1
    for (ptrdiff_t p = (ptrdiff_t)blockIdx.x * THREADS + threadIdx.x; p < cells; p += step) {
        const int i = (int)(p % b.nx), j = (int)(p / b.nx % b.ny), k = (int)(p / b.nx / b.ny);
        atomicAdd(&count[count_volume_slot(c, theta[at(b, i, j, k)])], count_volume(m, c, i, j, k));
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < COUNT_SLOTS; n += THREADS)
        if (count[n] > 0) atomicAdd(counts + n, count[n]);
}

kol_status increments_count_volume(struct box b, struct metrics m, struct counted_volume c, const real *theta,
                                   unsigned long long *counts)
{
    const ptrdiff_t blocks = ((ptrdiff_t)b.nx * b.ny * b.nz + THREADS - 1) / THREADS;
    const unsigned launch = blocks < COUNT_BLOCKS ? (unsigned)blocks : (unsigned)COUNT_BLOCKS;
    volume_kernel<<<launch, THREADS, 0, queue_stream()>>>(b, m, c, theta, counts);
    CUDA_LAUNCHED("increments_count_volume");
    return KOL_OK;
}
