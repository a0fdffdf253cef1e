/* Corrects the velocity of a stage, and adds up its energy and momentum in the same sweep. */
#include "../box_forcing.h"
#include "../point/box_forcing.h"
#include "../point/update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* CORRECT: corrects velocity and pressure by phi; otherwise it only adds up. p may be p_old. */
template <bool CORRECT>
static __global__ void __launch_bounds__(PIECE_THREADS, 4)
    box_correct_kernel(struct box b, struct metrics m, struct blocks bl,
                       const __grid_constant__ struct march march, struct stencil s, struct correction a,
                       const real *KOL_RESTRICT phi, const real *p_old, real *p, real *KOL_RESTRICT u,
                       real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    ptrdiff_t o = at(b, i, j, t.z0);
    const real gx = s.gx[i], gy = s.gy[j];
    real below = CORRECT ? phi[o - b.sz] : 0;
    sum_march<BOX_SUMS, 0>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        real now_u = u[o], now_v = v[o], now_w = w[o];
        if (CORRECT) {
            const real c = phi[o], x_low = phi[o - 1], y_low = phi[o - b.sy], old = p_old[o], gz = s.gz[k];
            now_u = point_correct(now_u + point_shift(a.shift[X], a.profile, k), a.dts, c, x_low, gx);
            now_v = point_correct(now_v + point_shift(a.shift[Y], a.profile, k), a.dts, c, y_low, gy);
            now_w = point_correct(now_w + a.shift[Z], a.dts, c, below, gz);
            u[o] = now_u;
            v[o] = now_v;
            w[o] = now_w;
            p[o] = old + (c - a.mean);
            below = c;
        }
        const struct box_volumes volume = point_box_volumes(m, i, j, k);
        part[BOX_SUM_ENERGY] += point_box_energy(volume, now_u, now_v, now_w);
        part[BOX_SUM_MOMENTUM + X] += volume.u * now_u;
        part[BOX_SUM_MOMENTUM + Y] += volume.v * now_v;
        part[BOX_SUM_MOMENTUM + Z] += volume.w * now_w;
        o += b.sz;
    });
}

kol_status box_correct(struct box b, struct metrics m, struct blocks bl, struct stencil s,
                       struct correction c, const real *phi, const real *p_old, real *p, real *const vel[3])
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "box_correct: no launch has %d pieces side by side", march.side);
    const bool fused = c.factor == 0; /* the pressure needs neighbours of phi otherwise */
    if (!fused) TRY(project_correct(b, s, c, phi, p_old, p, vel[X], vel[Y], vel[Z]));
    auto kernel = fused ? box_correct_kernel<true> : box_correct_kernel<false>;
    kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, s, c, phi, p_old, p, vel[X],
                                                             vel[Y], vel[Z]);
    CUDA_LAUNCHED("box_correct");
    return KOL_OK;
}
