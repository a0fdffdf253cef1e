/* The scalars of conjugate gradients as the sweeps take them. */
#ifndef KOL_CUDA_SCALARS_CUH
#define KOL_CUDA_SCALARS_CUH

#include "../point/cg.h"

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
