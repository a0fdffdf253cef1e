/* Checks round CUDA calls and launches, which raise a status. */
#ifndef KOL_CUDA_CHECK_CUH
#define KOL_CUDA_CHECK_CUH

#include "../base/status.h"

#include <stdint.h>

/* cuda_take_error: returns the error of the call or launch that was just made. It takes the error from the
 * runtime, so that no later query blames it on another kernel. */
static inline cudaError_t cuda_take_error(void)
{
#ifdef KOLMO_DEBUG
    const cudaError_t done = cudaDeviceSynchronize();
    const cudaError_t last = cudaGetLastError();
    return last != cudaSuccess ? last : done;
#else
    return cudaGetLastError();
#endif
}

#define CUDA_TRY(call) CUDA_TRY_OF(#call, call)

/* CUDA_TRY_OF: like CUDA_TRY, for an error that a call of that name returned. */
#define CUDA_TRY_OF(name, error)                                                                             \
    do {                                                                                                     \
        const cudaError_t cuda_try_ = (error);                                                               \
        if (cuda_try_ != cudaSuccess) {                                                                      \
            (void)cudaGetLastError();                                                                        \
            RAISE(KOL_ERR_CUDA, "%s: %s (%s)", (name), cudaGetErrorString(cuda_try_),                        \
                  cudaGetErrorName(cuda_try_));                                                              \
        }                                                                                                    \
    } while (0)

/* CUDA_LAUNCHED: to be used after every launch. Debug builds wait for the kernel, so that a fault is blamed
 * on the right one. */
#define CUDA_LAUNCHED(name)                                                                                  \
    do {                                                                                                     \
        const cudaError_t cuda_launch_ = cuda_take_error();                                                  \
        if (cuda_launch_ != cudaSuccess)                                                                     \
            RAISE(KOL_ERR_CUDA, "kernel %s: %s (%s)", (name), cudaGetErrorString(cuda_launch_),              \
                  cudaGetErrorName(cuda_launch_));                                                           \
    } while (0)

/* shared_most: returns the bytes of shared memory that a thread block of the GPU in use may have. Without a
 * GPU, as with --check, it is the largest amount that can be requested. */
static inline size_t shared_most(void)
{
    int id = 0, bytes = 0;
    if (cudaGetDevice(&id) == cudaSuccess &&
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, id) == cudaSuccess)
        return (size_t)bytes;
    (void)cudaGetLastError();
    return SIZE_MAX;
}

#endif
