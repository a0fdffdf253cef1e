/* Solves a small level exactly with the inverse of its matrix. */
#include "level.cuh"

/* Each warp takes one row of the inverse. Lane l of the sums is lane l of the warp. */
enum { DENSE_ROWS = 4, DENSE_THREADS = DENSE_ROWS * LEVEL_LANES };

__device__ __forceinline__ ptrdiff_t dense_place(struct box cb, int n)
{
    return at(cb, n % cb.nx, n / cb.nx % cb.ny, n / cb.nx / cb.ny);
}

static __global__ void __launch_bounds__(DENSE_THREADS)
    dense_kernel(struct box cb, int n, const level_real *inverse, const level_real *r, level_real *e)
{
    __shared__ level_real packed[LEVEL_DENSE_MOST];
    const int lane = (int)threadIdx.x % LEVEL_LANES;
    const int row = (int)blockIdx.x * DENSE_ROWS + (int)threadIdx.x / LEVEL_LANES;
    for (int i = (int)threadIdx.x; i < n; i += DENSE_THREADS) packed[i] = r[dense_place(cb, i)];
    __syncthreads();
    if (row >= n) return;
    level_real sum = 0;
#pragma unroll 4
    for (int i = lane; i < n; i += LEVEL_LANES) sum += __ldg(inverse + (ptrdiff_t)row * n + i) * packed[i];
#pragma unroll
    for (int half = LEVEL_LANES / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)half);
    if (lane == 0) e[dense_place(cb, row)] = sum;
}

kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e)
{
    const ptrdiff_t cells = (ptrdiff_t)cb.nx * cb.ny * cb.nz;
    if (cells > LEVEL_DENSE_MOST)
        RAISE(KOL_ERR_INTERNAL, "a dense level has %td cells, but at most %d are possible", cells,
              LEVEL_DENSE_MOST);
    const int n = (int)cells;
    dense_kernel<<<(unsigned)((n + DENSE_ROWS - 1) / DENSE_ROWS), DENSE_THREADS, 0, queue_stream()>>>(
        cb, n, inverse, r, e);
    CUDA_LAUNCHED("level_dense");
    return KOL_OK;
}
