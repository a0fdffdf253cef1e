#include "../momentum.h"
#include "../point/lap.h"
#include "../point/momentum.h"
#include "check.cuh"

/* The three equations at one point in one kernel: they read the same neighbours. Inner points and rim of a rank go
 * through this one kernel, so a value does not depend on the call that made it. */
static __global__ void __launch_bounds__(TILE_THREADS)
    momentum_kernel(struct box b, struct metrics m, struct range range, int planes, real nu,
                    const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                    real *KOL_RESTRICT ru, real *KOL_RESTRICT rv, real *KOL_RESTRICT rw)
{
    tiles_each(range, planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        const struct momentum_values au = point_values(u, v, w, o, 1, b.sy, b.sz);
        const struct momentum_values av = point_values(v, u, w, o, b.sy, 1, b.sz);
        const struct momentum_values aw = point_values(w, u, v, o, b.sz, 1, b.sy);
        ru[o] = point_momentum(au, point_spacings_u(m, i, j, k), nu);
        rv[o] = point_momentum(av, point_spacings_v(m, i, j, k), nu);
        rw[o] = point_momentum(aw, point_spacings_w(m, i, j, k), nu);
    });
}

kol_status momentum_rhs(struct box b, struct metrics m, struct range range, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw)
{
    const struct tiles t = tiles_make(range);
    if (t.empty) return KOL_OK;
    momentum_kernel<<<t.grid, t.threads>>>(b, m, range, t.planes, nu, u, v, w, ru, rv, rw);
    CUDA_LAUNCHED("momentum_rhs");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    source_kernel(struct box b, struct stencil s, int planes, real factor, const real *KOL_RESTRICT base,
                  const real *KOL_RESTRICT x, real *KOL_RESTRICT y)
{
    tiles_each(range_all(b), planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        y[o] = point_source(c, base[o], factor,
                            point_lap_apply(c, 0, x[o], x[o - 1], x[o + 1], x[o - b.sy], x[o + b.sy],
                                            x[o - b.sz], x[o + b.sz]));
    });
}

kol_status stencil_source(struct box b, struct stencil s, real factor, const real *base, const real *x,
                          real *y)
{
    const struct tiles t = tiles_make(range_all(b));
    s.scale = 1;
    source_kernel<<<t.grid, t.threads>>>(b, s, t.planes, factor, base, x, y);
    CUDA_LAUNCHED("stencil_source");
    return KOL_OK;
}
