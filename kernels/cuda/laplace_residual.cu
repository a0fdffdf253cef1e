/* Computes the residual of the 7-point operator with its sums. */
#include "../laplace.h"
#include "sweep.cuh"

/* The residual is stored, or formed for its sums alone. A solve by one application of the direct
 * preconditioner ends with these sums. */

/* rhs may be r, because both are used at the own point only. */
template <int COLUMNS, bool MASKED>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    residual_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                    const __grid_constant__ struct layout l, struct cells cells, real mean, const real *rhs,
                    const real *x, real *r)
{
    enum { SUMS = 2, MAXIMA = 1 };
    const struct tile c = tile_of(bl, m);
    if (!tile_wanted(b, c, cells)) return;
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    struct open_ahead<MASKED, COLUMNS> faces;
    faces.start(s.open, b.sz, at(b, c.i, c.j, c.z0), columns);
    const real *const array[] = {x, rhs};
    sweep_star<SUMS, MAXIMA>(
        b, s, bl, m, l, cells, c, columns, array,
        [&](int q, ptrdiff_t o, struct level level, struct star here, const real *own, double *part) {
            const unsigned open = faces.take(q, o);
            const struct star v = star_close<MASKED>(here, open);
            const real volume = pillar[q].area * level.height.w;
            real res = point_residual(volume, own[0], mean, star_apply(pillar[q], level, s.shift, v));
            if constexpr (MASKED) res = open != 0 ? res : 0;
            if (r != NULL) r[o] = res;
            part[0] += res;
            part[1] += (double)volume * v.c;
            part[2] = sum_larger(fabs(res * level.height.inverse), part[2]);
        },
        [&](double *part) {
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) part[q * (SUMS + MAXIMA) + SUMS] /= pillar[q].area;
        });
}

template <int COLUMNS>
static kol_status residual_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                  struct cells cells, real mean, const real *rhs, const real *x, real *r)
{
    const struct layout l = star_layout<COLUMNS>(bl, m, 2);
    const auto kernel = s.open != NULL ? residual_kernel<COLUMNS, true> : residual_kernel<COLUMNS, false>;
    return sweep_launch("laplace_residual", kernel, m.grid, m.side * PIECE_THREADS, l.end, b, s, bl, m, l,
                        cells, mean, rhs, x, r);
}

kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, struct cells cells, real mean,
                            const real *rhs, const real *x, real *r)
{
    const struct march m = march_make(bl, r == NULL ? TUNE_CHECK : TUNE_RESIDUAL, cells);
    return m.wide == 1 ? residual_launch<1>(b, s, bl, m, cells, mean, rhs, x, r)
                       : residual_launch<2>(b, s, bl, m, cells, mean, rhs, x, r);
}
