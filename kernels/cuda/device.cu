#include "../base/device.h"
#include "check.cuh"

#include <stdio.h>

/* CUDA writes version 13.2 as 13020. */
static int version_major(int version)
{
    return version / 1000;
}

static int version_minor(int version)
{
    return version % 1000 / 10;
}

const char *device_backend(void)
{
    return "cuda";
}

/* device_probe is only asked about: whether this build holds code for the GPU. */
static __global__ void device_probe(void)
{
}

static kol_status count_gpus(int *count)
{
    int driver = 0, runtime = 0;
    CUDA_TRY(cudaDriverGetVersion(&driver));
    CUDA_TRY(cudaRuntimeGetVersion(&runtime));
    if (driver == 0) RAISE(KOL_ERR_CUDA, "no NVIDIA driver on this node: use the build with BACKEND=cpu");
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaErrorInsufficientDriver) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "the NVIDIA driver knows CUDA up to %d.%d, this build wants %d.%d",
              version_major(driver), version_minor(driver), version_major(runtime), version_minor(runtime));
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && *count == 0)) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "no GPU on this node, or CUDA_VISIBLE_DEVICES hides it");
    }
    CUDA_TRY(error);
    return KOL_OK;
}

kol_status device_select(int local_rank, char *text, size_t size)
{
    int count = 0, driver = 0, runtime = 0;
    TRY(count_gpus(&count));
    const int id = local_rank % count;
    CUDA_TRY(cudaSetDevice(id));
    struct cudaDeviceProp gpu;
    CUDA_TRY(cudaGetDeviceProperties(&gpu, id));
    CUDA_TRY(cudaDriverGetVersion(&driver));
    CUDA_TRY(cudaRuntimeGetVersion(&runtime));
    struct cudaFuncAttributes code;
    const cudaError_t error = cudaFuncGetAttributes(&code, device_probe);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        RAISE(KOL_ERR_CUDA, "GPU %d, %s of compute capability %d.%d, cannot run this build: %s", id, gpu.name,
              gpu.major, gpu.minor, cudaGetErrorString(error));
    }
    snprintf(text, size, "%s, %.1f GiB, driver %d.%d, CUDA %d.%d", gpu.name,
             (double)gpu.totalGlobalMem / 1073741824.0, version_major(driver), version_minor(driver),
             version_major(runtime), version_minor(runtime));
    return KOL_OK;
}

/* Without a driver there are no GPUs to share; device_select tells why. */
int device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

kol_status device_wait(void)
{
    CUDA_TRY(cudaDeviceSynchronize());
    return KOL_OK;
}
