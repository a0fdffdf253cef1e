/* Sets a field to 0 in dead cells. */
#include "../laplace.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

static __global__ void __launch_bounds__(TILE_MOST)
    clear_kernel(struct box b, int planes, const unsigned char *open, real *x)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    for (int k = t.z0; k < t.z1; ++k) {
        const ptrdiff_t o = at(b, t.i, t.j, k);
        if (open[o] == 0) x[o] = 0;
    }
}

kol_status laplace_clear(struct box b, const unsigned char *open, real *x)
{
    clear_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(b, TILE_PLAIN.z,
                                                                                            open, x);
    CUDA_LAUNCHED("laplace_clear");
    return KOL_OK;
}
