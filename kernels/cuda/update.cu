#include "../update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* y may be p1 or p2: all are read and written at the own point only. */
static __global__ void __launch_bounds__(TILE_MOST)
    combine_kernel(struct box b, int planes, real c1, const real *p1, real c2, const real *p2, real *y)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        real sum = 0;
        if (c1 != 0) sum += c1 * p1[o];
        if (c2 != 0) sum += c2 * p2[o];
        y[o] = sum;
    }
}

kol_status update_combine(struct box b, real c1, const real *p1, real c2, const real *p2, real *y)
{
    combine_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, TILE_PLAIN.z, c1, p1, c2, p2, y);
    CUDA_LAUNCHED("update_combine");
    return KOL_OK;
}
