/* Computes the sum of z times A z, which iterations with one sum need. */
#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

template <int COLUMNS>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    energy_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                  const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                  const real *z)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    const real *const array[] = {z};
    sweep_star<1, 0>(
        b, s, bl, m, l, cells, c, columns, array,
        [&](int q, ptrdiff_t, struct level level, struct star v, const real *, double *part) {
            const real a = star_apply(pillar[q], level, s.shift, v);
            part[0] += (double)a * v.c;
        },
        [](double *) {});
}

template <int COLUMNS>
static kol_status energy_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                struct cells cells, const struct cg_state *cg, const real *z)
{
    const struct layout l = star_layout<COLUMNS>(bl, m, 1);
    return sweep_launch("laplace_energy", energy_kernel<COLUMNS>, m.grid, m.side * PIECE_THREADS, l.end, b, s,
                        bl, m, l, cells, cg, z);
}

kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_energy: not with bodies");
    const struct march m = march_make(bl, TUNE_FIRST, cells); /* the same loads and sums */
    if (march_none(m)) return KOL_OK;
    return m.wide == 1 ? energy_launch<1>(b, s, bl, m, cells, cg, z)
                       : energy_launch<2>(b, s, bl, m, cells, cg, z);
}
