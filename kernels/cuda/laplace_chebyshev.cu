/* Raises the degree of a Chebyshev polynomial by one. */
#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

/* z_next may be z_prev, because both are used at the own point only. FIRST: there is no z_prev. */
template <bool FIRST, bool MASKED>
static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    chebyshev_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                     const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                     real momentum, real step, real y0, const real *r, const real *z, const real *z_prev,
                     real *z_next)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const struct lap_pillar pillar = sweep_pillar(s, c.own, c.i, c.j);
    const struct columns<1> columns = columns_of<1>(bl, m, c);
    struct open_ahead<MASKED> faces;
    faces.start(s.open, b.sz, at(b, c.i, c.j, c.z0), columns);
    const auto point = [&](int, ptrdiff_t o, struct level level, struct star here, const real *own,
                           double *part) {
        const unsigned open = faces.take(0, o);
        const struct star v = star_close<MASKED>(here, open);
        real inverse;
        if constexpr (MASKED) {
            inverse = point_inverse_open(point_pillar_diag_open(pillar, level.height, s.shift, open));
        } else {
            inverse = 1 / point_pillar_diag(pillar, level.height, s.shift);
        }
        const real rc = own[0];
        const real prev = FIRST ? y0 * (rc * inverse) : own[1];
        const real next =
            point_chebyshev(v.c, prev, momentum, step, rc, star_apply(pillar, level, s.shift, v), inverse);
        z_next[o] = next;
        part[0] += (double)next * rc;
    };
    if constexpr (FIRST) {
        const real *const array[] = {z, r};
        sweep_star<1, 0>(b, s, bl, m, l, cells, c, columns, array, point, [](double *) {});
    } else {
        const real *const array[] = {z, r, z_prev};
        sweep_star<1, 0>(b, s, bl, m, l, cells, c, columns, array, point, [](double *) {});
    }
}

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, real momentum, real step, real y0, const real *r,
                             const real *z, const real *z_prev, real *z_next)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV, cells);
    const struct layout l = star_layout(bl, m, z_prev == NULL ? 2 : 3);
    const auto kernel =
        s.open == NULL   ? (z_prev == NULL ? chebyshev_kernel<true, false> : chebyshev_kernel<false, false>)
        : z_prev == NULL ? chebyshev_kernel<true, true>
                         : chebyshev_kernel<false, true>;
    return sweep_launch("laplace_chebyshev", kernel, m.grid, m.side * PIECE_THREADS, l.end, b, s, bl, m, l,
                        cells, cg, momentum, step, y0, r, z, z_prev, z_next);
}
