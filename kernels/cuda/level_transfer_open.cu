/* Passes residuals and corrections between levels in a box with bodies. */
#include "level.cuh"

static __global__ void __launch_bounds__(LEVEL_THREADS)
    restrict_open_kernel(struct box lb, struct level_stencil s, unsigned around,
                         const __grid_constant__ struct level_transfers t, int nx, int ny, int nz, int planes,
                         struct box cb, const level_real *q, level_real *r_coarse)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k)
        r_coarse[at(cb, a.i, a.j, k)] = point_level_gather(lb, s, around, t, a.i, a.j, k, q);
}

kol_status level_restrict_open(struct box lb, struct level_stencil s, struct cells cells,
                               struct level_transfers t, const int n_coarse[3], struct box cb,
                               const level_real *q, level_real *r_coarse)
{
    const int nx = n_coarse[X], ny = n_coarse[Y], nz = n_coarse[Z];
    if (!level_compute_all(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    restrict_open_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, t, nx, ny, nz, planes, cb, q, r_coarse);
    CUDA_LAUNCHED("level_restrict_open");
    return KOL_OK;
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    prolong_open_kernel(struct box lb, struct level_stencil s, unsigned around, int planes,
                        const __grid_constant__ struct level_correction c, level_real *z)
{
    const struct level_spot a = level_spot(lb.nx, lb.ny, lb.nz, planes);
    if (!a.own) return;
    ptrdiff_t o = at(lb, a.i, a.j, a.z0);
#pragma unroll 2
    for (int k = a.z0; k < a.z1; ++k, o += lb.sz)
        z[o] += point_level_correction(lb, s, around, c, a.i, a.j, k);
}

kol_status level_prolong_open(struct box lb, struct level_stencil s, struct cells cells,
                              const struct level_correction *c, level_real *z)
{
    const int planes = level_planes(lb.nx, lb.ny, lb.nz);
    prolong_open_kernel<<<level_grid(lb.nx, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, planes, *c, z);
    CUDA_LAUNCHED("level_prolong_open");
    return KOL_OK;
}
