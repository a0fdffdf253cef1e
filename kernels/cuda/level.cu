/* Fills level arrays and their halos, and says what the level kernels of this build can do. */
#include "level.cuh"

enum { FILL_THREADS = 256 };
static const ptrdiff_t FILL_BLOCKS = 4096; /* most: they fill a GPU several times */

int level_around(void)
{
    return 1;
}

/* The kernels read around. */
kol_status level_wrap(struct box lb, level_real *a)
{
    (void)lb;
    (void)a;
    return KOL_OK;
}

static __global__ void __launch_bounds__(FILL_THREADS)
    fill_kernel(level_real *a, ptrdiff_t n, level_real value)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * blockDim.x;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i] = value;
}

kol_status level_fill(level_real *a, ptrdiff_t n, level_real value)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t wanted = (n + FILL_THREADS - 1) / FILL_THREADS;
    fill_kernel<<<(unsigned)(wanted < FILL_BLOCKS ? wanted : FILL_BLOCKS), FILL_THREADS, 0, queue_stream()>>>(
        a, n, value);
    CUDA_LAUNCHED("level_fill");
    return KOL_OK;
}
