/* Adds up the moments of a scalar over a periodic box. */
#include "../scalar_moments.h"
#include "../point/scalar_moments.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* Neighbours are read from the cache again, as in moments.cu. */
template <int GROUP>
static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    scalar_moments_kernel(struct box b, struct metrics m, struct blocks bl,
                          const __grid_constant__ struct march march, const real *KOL_RESTRICT u,
                          const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                          const real *KOL_RESTRICT theta)
{
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const struct moment_spacings x = moment_spacings_x(m, i), y = moment_spacings_y(m, j);
    ptrdiff_t o = at(b, i, j, t.z0);
    sum_march<THETA_MOMENT_MOST, 0>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        double add[THETA_MOMENT_MOST] = {};
        point_scalar_moments(GROUP, b, u, v, w, theta, o, x, y, moment_spacings_z(m, k), add, 1);
#pragma unroll
        for (int n = 0; n < scalar_moments_count(GROUP); ++n) part[n] += add[n];
        o += b.sz;
    });
}

kol_status scalar_moments_sum(int group, struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                              const real *theta)
{
    struct march march = march_make(bl, TUNE_MONITOR);
    auto kernel = group == 0 ? scalar_moments_kernel<0> : scalar_moments_kernel<1>;
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "scalar_moments_sum: no launch has %d pieces side by side", march.side);
    kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, vel[X], vel[Y], vel[Z], theta);
    CUDA_LAUNCHED("scalar_moments_sum");
    return KOL_OK;
}
