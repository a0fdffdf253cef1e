#include "../base/mem.h"
#include "check.cuh"

static const double GIB = 1073741824.0;

kol_status mem_kernel_alloc(size_t bytes, void **out)
{
    *out = NULL;
    const cudaError_t error = cudaMalloc(out, bytes > 0 ? bytes : 1); /* aligned to 256 bytes */
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        size_t available = 0, total = 0;
        CUDA_TRY(cudaMemGetInfo(&available, &total));
        RAISE(KOL_ERR_MEMORY, "no GPU memory for %.3f GiB: %.3f of %.3f GiB are free", (double)bytes / GIB,
              (double)available / GIB, (double)total / GIB);
    }
    CUDA_TRY(error);
    return KOL_OK;
}

/* Neither call that frees can tell its caller of a fault; faults of earlier kernels come back from any later call. */
void mem_kernel_free(void *p)
{
    (void)cudaFree(p);
}

kol_status mem_host_alloc(size_t bytes, void **out)
{
    *out = NULL;
    const cudaError_t error = cudaMallocHost(out, bytes > 0 ? bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_MEMORY, "no page-locked host memory for %.3f GiB (see ulimit -l)", (double)bytes / GIB);
    }
    CUDA_TRY(error);
    return KOL_OK;
}

void mem_host_free(void *p)
{
    (void)cudaFreeHost(p);
}

kol_status mem_to_host(void *host, const void *kernel, size_t bytes)
{
    CUDA_TRY(cudaMemcpy(host, kernel, bytes, cudaMemcpyDeviceToHost));
    return KOL_OK;
}

/* From pageable memory the call returns when host may be overwritten; what is launched later on the default stream
 * finds the data in place. */
kol_status mem_to_kernel(void *kernel, const void *host, size_t bytes)
{
    CUDA_TRY(cudaMemcpy(kernel, host, bytes, cudaMemcpyHostToDevice));
    return KOL_OK;
}

/* In order with the kernels, like them not waited for: nothing outside the stream looks at the copy. */
static __global__ void __launch_bounds__(TILE_THREADS) fill_kernel(real *a, ptrdiff_t n, real value)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * blockDim.x;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i] = value;
}

kol_status mem_fill_real(real *kernel, ptrdiff_t n, real value)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t wanted = (n + TILE_THREADS - 1) / TILE_THREADS, most = 4 * TILE_ENOUGH;
    fill_kernel<<<(unsigned)(wanted < most ? wanted : most), TILE_THREADS>>>(kernel, n, value);
    CUDA_LAUNCHED("mem_fill_real");
    return KOL_OK;
}

kol_status mem_kernel_available(size_t *bytes)
{
    size_t total = 0;
    CUDA_TRY(cudaMemGetInfo(bytes, &total));
    return KOL_OK;
}
