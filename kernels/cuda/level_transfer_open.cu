/* Passes residuals and corrections between levels in a box with bodies. */
#include "level_gather.cuh"

kol_status level_restrict_open(struct box lb, struct level_stencil s, struct cells cells,
                               struct level_transfers t, const int n_coarse[3], struct box cb,
                               const level_real *q, level_real *r_coarse)
{
    return gather_launch<GATHER_BOTH>("level_restrict_open", lb, s, cells, t, n_coarse, cb, q, r_coarse);
}

kol_status level_restrict_moved(struct box lb, struct level_stencil s, struct cells cells,
                                struct level_transfers t, const int n_coarse[3], struct box cb,
                                const level_real *q, level_real *r_coarse)
{
    return gather_launch<GATHER_MOVED>("level_restrict_moved", lb, s, cells, t, n_coarse, cb, q, r_coarse);
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    prolong_open_kernel(struct box lb, struct level_stencil s, int planes,
                        const __grid_constant__ struct level_correction c, level_real *z)
{
    const struct level_spot a = level_spot(lb.nx, lb.ny, lb.nz, planes);
    if (!a.own) return;
    ptrdiff_t o = at(lb, a.i, a.j, a.z0);
#pragma unroll 2
    for (int k = a.z0; k < a.z1; ++k, o += lb.sz)
        z[o] += point_level_correction(&c, point_level_moved(s, o), a.i, a.j, k);
}

kol_status level_prolong_open(struct box lb, struct level_stencil s, const struct level_correction *c,
                              level_real *z)
{
    const int planes = level_planes(lb.nx, lb.ny, lb.nz);
    prolong_open_kernel<<<level_grid(lb.nx, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, planes, *c, z);
    CUDA_LAUNCHED("level_prolong_open");
    return KOL_OK;
}
