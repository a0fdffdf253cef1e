/* Interpolates a correction from the next coarser level and adds it. */
#include "level_correct.cuh"

static __global__ void __launch_bounds__(LEVEL_THREADS)
    prolong_kernel(struct box lb, int planes, const __grid_constant__ struct level_correction c,
                   level_real *z)
{
    const struct level_spot a = level_spot(lb.nx, lb.ny, lb.nz, planes);
    if (!a.own) return;
    const struct level_parents x = coarse_cells(c.t.x, a.i, c.shift[X], c.box.nx, c.around, X);
    const struct level_parents y = correction_y(c, a.j);
    ptrdiff_t o = at(lb, a.i, a.j, a.z0);
#pragma unroll 2
    for (int k = a.z0; k < a.z1; ++k, o += lb.sz)
        z[o] += value_over_all(c.box, x, y, correction_z(c, k), c.e);
}

kol_status level_prolong(struct box lb, const struct level_correction *c, level_real *z)
{
    const int planes = level_planes(lb.nx, lb.ny, lb.nz);
    prolong_kernel<<<level_grid(lb.nx, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(lb, planes,
                                                                                                  *c, z);
    CUDA_LAUNCHED("level_prolong");
    return KOL_OK;
}
