/* Computes the weights of the faces of a coarser level, in a box with bodies. */
#include "level.cuh"

static __global__ void __launch_bounds__(LEVEL_THREADS)
    coarsen_kernel(struct box lb, struct level_stencil s, unsigned around,
                   const __grid_constant__ struct level_transfers t, int nx, int ny, int nz, int planes,
                   struct box cb, level_word *coarse)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k)
        coarse[at(cb, a.i, a.j, k)] = point_level_word(lb, s, around, t, a.i, a.j, k);
}

kol_status level_coarsen(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, level_word *coarse)
{
    const int nx = n_coarse[X], ny = n_coarse[Y], nz = n_coarse[Z];
    if (!level_compute_all(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    coarsen_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, t, nx, ny, nz, planes, cb, coarse);
    CUDA_LAUNCHED("level_coarsen");
    return KOL_OK;
}
