/* Raises the degree of a Chebyshev polynomial by one. */
#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

/* z_next may be z_prev, because both are used at the own point only. FIRST: there is no z_prev. */
template <bool FIRST>
static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    chebyshev_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                     const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                     real momentum, real step, real y0, const real *r, const real *z, const real *z_prev,
                     real *z_next)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const struct lap_pillar pillar = sweep_pillar(s, c.own, c.i, c.j);
    const auto point = [&](int, ptrdiff_t o, struct level level, struct star v, const real *own,
                           double *part) {
        const real inverse = 1 / point_pillar_diag(pillar, level.height, s.shift), rc = own[0];
        const real prev = FIRST ? y0 * (rc * inverse) : own[1];
        const real next =
            point_chebyshev(v.c, prev, momentum, step, rc, star_apply(pillar, level, s.shift, v), inverse);
        z_next[o] = next;
        part[0] += (double)next * rc;
    };
    if constexpr (FIRST) {
        const real *const array[] = {z, r};
        sweep_star<1, 0>(b, s, bl, m, l, cells, c, columns_of<1>(bl, m, c), array, point, [](double *) {});
    } else {
        const real *const array[] = {z, r, z_prev};
        sweep_star<1, 0>(b, s, bl, m, l, cells, c, columns_of<1>(bl, m, c), array, point, [](double *) {});
    }
}

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV, cells);
    const struct layout l = star_layout(bl, m, z_prev == NULL ? 2 : 3);
    return sweep_launch(
        "laplace_chebyshev", z_prev == NULL ? chebyshev_kernel<true> : chebyshev_kernel<false>, m.grid,
        m.side * PIECE_THREADS, l.end, b, s, bl, m, l, cells, cg, momentum, step, y0, r, z, z_prev, z_next);
}
