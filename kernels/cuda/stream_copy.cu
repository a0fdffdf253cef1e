/* Copies and adds plain arrays, which measures the bandwidth of the device. */
#include "../stream_copy.h"
#include "check.cuh"
#include "queue.cuh"

enum {
    STREAM_THREADS = 512,
    STREAM_DEPTH = 4, /* loads of 16 bytes that each thread has under way: 96 KiB and more an SM */
    STREAM_LANES = 16 / sizeof(real)
};

/* What one load or store moves. */
struct __align__(16) lanes
{
    real v[STREAM_LANES];
};

/* A thread block takes STREAM_DEPTH * STREAM_THREADS consecutive lanes. */
static unsigned stream_grid(ptrdiff_t lanes)
{
    const ptrdiff_t each = (ptrdiff_t)STREAM_DEPTH * STREAM_THREADS;
    return (unsigned)((lanes + each - 1) / each);
}

static __global__ void __launch_bounds__(STREAM_THREADS)
    copy_kernel(ptrdiff_t n, const struct lanes *__restrict__ a, struct lanes *__restrict__ b)
{
    const ptrdiff_t first = (ptrdiff_t)blockIdx.x * (STREAM_DEPTH * STREAM_THREADS) + threadIdx.x;
    struct lanes x[STREAM_DEPTH];
#pragma unroll
    for (int d = 0; d < STREAM_DEPTH; ++d)
        if (first + d * STREAM_THREADS < n) x[d] = a[first + d * STREAM_THREADS];
#pragma unroll
    for (int d = 0; d < STREAM_DEPTH; ++d)
        if (first + d * STREAM_THREADS < n) b[first + d * STREAM_THREADS] = x[d];
}

static __global__ void __launch_bounds__(STREAM_THREADS)
    triad_kernel(ptrdiff_t n, real s, const struct lanes *__restrict__ b, const struct lanes *__restrict__ c,
                 struct lanes *__restrict__ a)
{
    const ptrdiff_t first = (ptrdiff_t)blockIdx.x * (STREAM_DEPTH * STREAM_THREADS) + threadIdx.x;
    struct lanes x[STREAM_DEPTH], y[STREAM_DEPTH];
#pragma unroll
    for (int d = 0; d < STREAM_DEPTH; ++d) {
        if (first + d * STREAM_THREADS >= n) break;
        x[d] = b[first + d * STREAM_THREADS];
        y[d] = c[first + d * STREAM_THREADS];
    }
#pragma unroll
    for (int d = 0; d < STREAM_DEPTH; ++d) {
        if (first + d * STREAM_THREADS >= n) break;
#pragma unroll
        for (int l = 0; l < STREAM_LANES; ++l) x[d].v[l] += s * y[d].v[l];
        a[first + d * STREAM_THREADS] = x[d];
    }
}

kol_status stream_copy(ptrdiff_t n, const real *a, real *b)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t lanes = n / STREAM_LANES;
    copy_kernel<<<stream_grid(lanes), STREAM_THREADS, 0, queue_stream()>>>(lanes, (const struct lanes *)a,
                                                                           (struct lanes *)b);
    CUDA_LAUNCHED("stream_copy");
    return KOL_OK;
}

kol_status stream_triad(ptrdiff_t n, real s, const real *b, const real *c, real *a)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t lanes = n / STREAM_LANES;
    triad_kernel<<<stream_grid(lanes), STREAM_THREADS, 0, queue_stream()>>>(
        lanes, s, (const struct lanes *)b, (const struct lanes *)c, (struct lanes *)a);
    CUDA_LAUNCHED("stream_triad");
    return KOL_OK;
}
