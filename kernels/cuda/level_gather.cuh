/* The restriction in a box with bodies, a thread for each coarse column. */
#ifndef KOL_CUDA_LEVEL_GATHER_CUH
#define KOL_CUDA_LEVEL_GATHER_CUH

#include "level.cuh"

/* gather: which cells are added up: the own ones, those that move here to what is there, or both. */
enum gather { GATHER_OWN, GATHER_MOVED, GATHER_BOTH };

template <enum gather GATHER>
static __global__ void __launch_bounds__(LEVEL_THREADS)
    gather_kernel(struct box lb, struct level_stencil s, unsigned around,
                  const __grid_constant__ struct level_transfers t, int nx, int ny, int nz, int planes,
                  struct box cb, const level_real *q, level_real *r_coarse)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k) {
        level_real *const to = r_coarse + at(cb, a.i, a.j, k);
        level_real sum = GATHER == GATHER_MOVED ? *to : point_level_gather(lb, s, around, t, a.i, a.j, k, q);
        if (GATHER != GATHER_OWN) sum = point_level_gather_moved(lb, s, around, t, a.i, a.j, k, q, sum);
        *to = sum;
    }
}

template <enum gather GATHER>
static kol_status gather_launch(const char *name, struct box lb, struct level_stencil s, struct cells cells,
                                const struct level_transfers &t, const int n_coarse[3], struct box cb,
                                const level_real *q, level_real *r_coarse)
{
    const int nx = n_coarse[X], ny = n_coarse[Y], nz = n_coarse[Z];
    if (!level_compute_all(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    gather_kernel<GATHER><<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, t, nx, ny, nz, planes, cb, q, r_coarse);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

#endif
