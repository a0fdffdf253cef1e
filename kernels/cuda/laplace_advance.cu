/* Updates search direction, solution and residual in one sweep, for iterations with one sum. */
#include "laplace_direction.cuh"

/* The fields of laplace_advance. */
struct advanced {
    const real *z, *d, *x, *r;
    real *d_new, *x_new, *r_new;
};
enum { ADVANCE_BESIDES = 2 };

template <int COLUMNS>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    advance_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                   const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                   const __grid_constant__ struct advanced f)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg)) return;
    const real alpha = cg_alpha(cg), beta = cg_beta(cg);
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    direction_march<1, 1>(
        b, s, bl, m, l, cells, c, beta, f.z, f.d, besides<ADVANCE_BESIDES>{{f.x, f.r}},
        pairs_make<COLUMNS>(b, bl, m, c, cells),
        [&](int q, ptrdiff_t o, struct level level, struct star v, const real *own, double *part) {
            const real r = own[1] - alpha * star_apply(pillar[q], level, s.shift, v);
            f.d_new[o] = v.c;
            f.r_new[o] = r;
            f.x_new[o] = own[0] + alpha * v.c;
            part[1] = sum_larger(fabs(r * level.height.inverse), part[1]);
        },
        [&](double *part) {
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) part[2 * q + 1] /= pillar[q].area;
        });
}

template <int COLUMNS>
static kol_status advance_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                 struct cells cells, const struct cg_state *cg, struct advanced f)
{
    const struct layout l = direction_layout<COLUMNS, ADVANCE_BESIDES>(bl, m);
    return sweep_launch("laplace_advance", advance_kernel<COLUMNS>, m.grid, m.side * PIECE_THREADS, l.end, b,
                        s, bl, m, l, cells, cg, f);
}

kol_status laplace_advance(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                           const struct cg_state *cg, const real *z, const real *d, real *d_new,
                           const real *x, real *x_new, const real *r, real *r_new)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_advance: not with bodies");
    const struct march m = march_make(bl, TUNE_ADVANCE);
    const struct advanced f = {z, d, x, r, d_new, x_new, r_new};
    return m.wide == 1 ? advance_launch<1>(b, s, bl, m, cells, cg, f)
                       : advance_launch<2>(b, s, bl, m, cells, cg, f);
}
