/* The scalars of conjugate gradients as the kernels read them, and their layout in kernel memory. */
#ifndef KOL_CUDA_CG_CUH
#define KOL_CUDA_CG_CUH

#include "../point/cg.h"

/* cg_memory: the state as it lies in kernel memory, with what the watch is told. */
struct cg_memory {
    struct cg_state state;
    int steps, ended;
};

__device__ __forceinline__ bool cg_ended(const struct cg_state *cg)
{
    return cg != NULL && cg->outcome != CG_RUNNING;
}

__device__ __forceinline__ real cg_alpha(const struct cg_state *cg)
{
    return cg != NULL ? (real)cg->alpha : 0;
}

__device__ __forceinline__ real cg_beta(const struct cg_state *cg)
{
    return cg != NULL ? (real)cg->beta : 0;
}

#endif
