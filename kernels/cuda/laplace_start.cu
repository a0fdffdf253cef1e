/* Applies the polynomial preconditioner of degree 0 or 1 to a residual. */
#include "laplace_polynomial.cuh"

static kol_status polynomial_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                                   const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_START, cells);
    const struct layout l = polynomial_layout(bl, m, false);
    if (m.side > 1) RAISE(KOL_ERR_INTERNAL, "laplace_start: no launch has %d pieces side by side", m.side);
    return sweep_launch("laplace_start", polynomial_kernel<false>, m.grid, polynomial_threads(m), l.end, b, s,
                        bl, m, l, cells, cg, p, f);
}

/* Degree 0: z = c0 y needs no neighbours of y. */
template <bool MASKED>
static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    jacobi_start_kernel(struct box b, struct stencil s, struct blocks bl,
                        const __grid_constant__ struct march m, struct cells cells, const struct cg_state *cg,
                        real c0, const real *r, real *z)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    sum_march<1, 1>(bl, m, c, [&](int k, double *part) {
        if (!c.own) return;
        const ptrdiff_t o = at(b, c.i, c.j, k);
        const struct lap_coef a = point_lap_coef(s, c.i, c.j, k);
        part[1] = sum_larger(fabs(r[o]) / a.vol, part[1]);
        real inverse;
        if constexpr (MASKED) {
            inverse = point_inverse_open(point_lap_coef_open(a, s.shift, s.open[o]).diag);
        } else {
            inverse = 1 / a.diag;
        }
        const real value = c0 * (r[o] * inverse);
        z[o] = value;
        part[0] += (double)value * r[o];
    });
}

static kol_status jacobi_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                               const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_START, cells);
    const auto kernel = s.open != NULL ? jacobi_start_kernel<true> : jacobi_start_kernel<false>;
    return sweep_launch("laplace_start", kernel, m.grid, m.side * PIECE_THREADS, 0, b, s, bl, m, cells, cg,
                        p.c0, f.r, f.z);
}

kol_status laplace_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly1 p, const real *r, real *z)
{
    const struct vectors f = {NULL, r, NULL, NULL, NULL, z};
    if (s.open != NULL && p.c1 != 0) RAISE(KOL_ERR_INTERNAL, "laplace_start: only degree 0 with bodies");
    return p.c1 != 0 ? polynomial_start(b, s, bl, cells, cg, p, f) : jacobi_start(b, s, bl, cells, cg, p, f);
}
