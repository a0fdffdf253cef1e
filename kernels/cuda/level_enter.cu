/* Scales the residual of the iteration and rounds it to the precision of the levels. */
#include "level.cuh"

/* scale is the same on every thread. */
static __global__ void __launch_bounds__(LEVEL_THREADS)
    enter_kernel(struct box b, struct box lb, int planes, const struct cg_state *cg, double volume,
                 const real *r, level_real *r_level)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const double scale = point_level_scale(cg, volume);
    const real *from = r + at(b, a.i, a.j, a.z0);
    level_real *to = r_level + at(lb, a.i, a.j, a.z0);
#pragma unroll 4
    for (int k = a.z0; k < a.z1; ++k, from += b.sz, to += lb.sz) *to = (level_real)(scale * __ldg(from));
}

kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level)
{
    const int planes = level_planes(b.nx, b.ny, b.nz);
    enter_kernel<<<level_grid(b.nx, b.ny, b.nz, planes), level_block(), 0, queue_stream()>>>(
        b, lb, planes, cg, volume, r, r_level);
    CUDA_LAUNCHED("level_enter");
    return KOL_OK;
}
