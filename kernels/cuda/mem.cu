/* Provides memory of the GPU and page-locked memory of the host, with copies between them. */
#include "../base/mem.h"

#include <stdlib.h>
#include <string.h>
#include "check.cuh"
#include "queue.cuh"

static const double GIB = 1073741824.0;

/* Of the process; see mem_stay_on_host. */
static bool on_host;

void mem_stay_on_host(void)
{
    on_host = true;
}

static kol_status plain_alloc(size_t bytes, void **out)
{
    const size_t unit = 256;
    *out = aligned_alloc(unit, (bytes / unit + 1) * unit);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no host memory for %.3f GiB", (double)bytes / GIB);
    return KOL_OK;
}

kol_status mem_kernel_alloc(size_t bytes, void **out)
{
    *out = NULL;
    if (on_host) return plain_alloc(bytes, out);
    const cudaError_t error = cudaMalloc(out, bytes > 0 ? bytes : 1); /* aligned to 256 bytes */
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        size_t available = 0, total = 0;
        CUDA_TRY(cudaMemGetInfo(&available, &total));
        RAISE(KOL_ERR_MEMORY, "no GPU memory for %.3f GiB: %.3f of %.3f GiB are free", (double)bytes / GIB,
              (double)available / GIB, (double)total / GIB);
    }
    CUDA_TRY_OF("cudaMalloc", error);
    return KOL_OK;
}

/* These functions cannot report a fault. A fault of an earlier kernel is returned by any later call. */
void mem_kernel_free(void *p)
{
    if (on_host) {
        free(p);
    } else {
        (void)cudaFree(p);
    }
}

kol_status mem_host_alloc(size_t bytes, void **out)
{
    *out = NULL;
    if (on_host) return plain_alloc(bytes, out);
    const cudaError_t error = cudaMallocHost(out, bytes > 0 ? bytes : 1);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_MEMORY, "no page-locked host memory for %.3f GiB (see ulimit -l)", (double)bytes / GIB);
    }
    CUDA_TRY_OF("cudaMallocHost", error);
    return KOL_OK;
}

void mem_host_free(void *p)
{
    if (on_host) {
        free(p);
    } else {
        (void)cudaFreeHost(p);
    }
}

kol_status mem_to_host_begin(void *host, const void *kernel, size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync(host, kernel, bytes, cudaMemcpyDeviceToHost, queue_stream()));
    return KOL_OK;
}

kol_status mem_to_kernel_begin(void *kernel, const void *host, size_t bytes)
{
    CUDA_TRY(cudaMemcpyAsync(kernel, host, bytes, cudaMemcpyHostToDevice, queue_stream()));
    return KOL_OK;
}

kol_status mem_to_host(void *host, const void *kernel, size_t bytes)
{
    if (on_host) {
        memcpy(host, kernel, bytes);
        return KOL_OK;
    }
    TRY(mem_to_host_begin(host, kernel, bytes));
    return queue_wait(queue_stream());
}

kol_status mem_to_kernel(void *kernel, const void *host, size_t bytes)
{
    if (on_host) {
        memcpy(kernel, host, bytes);
        return KOL_OK;
    }
    TRY(mem_to_kernel_begin(kernel, host, bytes));
    return queue_wait(queue_stream());
}

enum { FILL_THREADS = 256 };
static const ptrdiff_t FILL_BLOCKS = 4096; /* most: they fill a GPU several times */

static __global__ void __launch_bounds__(FILL_THREADS) fill_kernel(real *a, ptrdiff_t n, real value)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * blockDim.x;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i] = value;
}

kol_status mem_fill_real(real *kernel, ptrdiff_t n, real value)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t wanted = (n + FILL_THREADS - 1) / FILL_THREADS;
    fill_kernel<<<(unsigned)(wanted < FILL_BLOCKS ? wanted : FILL_BLOCKS), FILL_THREADS, 0, queue_stream()>>>(
        kernel, n, value);
    CUDA_LAUNCHED("mem_fill_real");
    return KOL_OK;
}

kol_status mem_kernel_available(size_t *bytes)
{
    size_t total = 0;
    CUDA_TRY(cudaMemGetInfo(bytes, &total));
    return KOL_OK;
}
