/* Adds up the moments of velocity, pressure, gradients and vorticity over a periodic box. */
#include "../moments.h"
#include "../point/moments.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* Neighbours are read from the cache again, because the terms take more time than the loads. */
template <int GROUP>
static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    moments_kernel(struct box b, struct metrics m, struct blocks bl,
                   const __grid_constant__ struct march march, const struct moment_fields q)
{
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const struct moment_spacings x = moment_spacings_x(m, i), y = moment_spacings_y(m, j);
    ptrdiff_t o = at(b, i, j, t.z0);
    sum_march<MOMENT_GROUP, 0>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        double add[MOMENT_GROUP] = {};
        point_moments(GROUP, q, o, x, y, moment_spacings_z(m, k), add, 1);
#pragma unroll
        for (int n = 0; n < moments_count(GROUP); ++n) part[n] += add[n];
        o += b.sz;
    });
}

kol_status moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                       const real *p)
{
    struct march march = march_make(bl, TUNE_MONITOR);
    const struct moment_fields q = {vel[X], vel[Y], vel[Z], p, b.sy, b.sz};
    auto kernel = group == 0   ? moments_kernel<0>
                  : group == 1 ? moments_kernel<1>
                  : group == 2 ? moments_kernel<2>
                               : moments_kernel<3>;
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "moments_sum: no launch has %d pieces side by side", march.side);
    kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, q);
    CUDA_LAUNCHED("moments_sum");
    return KOL_OK;
}
