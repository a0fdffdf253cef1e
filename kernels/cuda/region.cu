/* Sums over regions of fluid, and shifts of their values, by lists of cells. */
#include "../region.h"
#include "../point/region.h"
#include "check.cuh"
#include "queue.cuh"

/* A warp takes a segment; lane l of it is lane l of the sum. */
enum { REGION_THREADS = 256, REGION_WARPS = REGION_THREADS / REGION_LANES };

static unsigned region_blocks(struct region_list list)
{
    return (unsigned)((list.segments + REGION_WARPS - 1) / REGION_WARPS);
}

/* Adds up term(n) over the cells of a segment. */
template <class TERM>
__device__ __forceinline__ void segment_sum(const struct region_list &list, double *sum, TERM term)
{
    const int lane = (int)threadIdx.x % REGION_LANES,
              s = (int)(blockIdx.x * REGION_WARPS + threadIdx.x / REGION_LANES);
    if (s >= list.segments) return;
    double v = 0;
    for (int n = list.first[s] + lane; n < list.first[s + 1]; n += REGION_LANES) v += term(n);
#pragma unroll
    for (int half = REGION_LANES / 2; half > 0; half /= 2)
        v += __shfl_down_sync(0xffffffffu, v, (unsigned)half);
    if (lane == 0) sum[s] = v;
}

static __global__ void __launch_bounds__(REGION_THREADS)
    sums_kernel(struct region_list list, int weighted, const real *a, double *sum)
{
    segment_sum(list, sum, [&](int n) { return point_region_term(list, weighted, a, n); });
}

static __global__ void __launch_bounds__(REGION_THREADS)
    level_kernel(struct region_list list, const __grid_constant__ struct level_sum phi, double *sum)
{
    segment_sum(list, sum, [&](int n) { return point_region_term_level(list, &phi, n); });
}

kol_status region_sums_level(struct region_list list, struct level_sum phi, double *sum)
{
    if (list.segments == 0) return KOL_OK;
    level_kernel<<<region_blocks(list), REGION_THREADS, 0, queue_stream()>>>(list, phi, sum);
    CUDA_LAUNCHED("region_sums_level");
    return KOL_OK;
}

kol_status region_sums(struct region_list list, int weighted, const real *a, double *sum)
{
    if (list.segments == 0) return KOL_OK;
    sums_kernel<<<region_blocks(list), REGION_THREADS, 0, queue_stream()>>>(list, weighted, a, sum);
    CUDA_LAUNCHED("region_sums");
    return KOL_OK;
}

static __global__ void __launch_bounds__(REGION_THREADS)
    shift_kernel(struct region_list list, int weighted, const double *shift, real *a)
{
    const int lane = (int)threadIdx.x % REGION_LANES,
              s = (int)(blockIdx.x * REGION_WARPS + threadIdx.x / REGION_LANES);
    if (s >= list.segments) return;
    for (int n = list.first[s] + lane; n < list.first[s + 1]; n += REGION_LANES)
        a[list.cell[n]] = point_region_shifted(list, weighted, shift[list.region[s]], a, n);
}

kol_status region_shift(struct region_list list, int weighted, const double *shift, real *a)
{
    if (list.segments == 0) return KOL_OK;
    shift_kernel<<<region_blocks(list), REGION_THREADS, 0, queue_stream()>>>(list, weighted, shift, a);
    CUDA_LAUNCHED("region_shift");
    return KOL_OK;
}
