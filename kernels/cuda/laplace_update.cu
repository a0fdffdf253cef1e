/* Takes a step of conjugate gradients: updates solution and residual, then preconditions the new residual. */
#include "laplace_polynomial.cuh"

static kol_status polynomial_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                                    const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_UPDATE);
    const struct layout l = polynomial_layout(bl, m, true);
    return sweep_launch("laplace_update", polynomial_kernel<true>, m.grid, polynomial_threads(m), l.end, b, s,
                        bl, m, l, cells, cg, p, f);
}

template <bool MASKED>
static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    jacobi_update_kernel(struct box b, struct stencil s, struct blocks bl,
                         const __grid_constant__ struct march m, const __grid_constant__ struct layout l,
                         struct cells cells, const struct cg_state *cg, real c0,
                         const __grid_constant__ struct vectors f)
{
    if (cg_ended(cg)) return;
    const struct tile c = tile_of(bl, m);
    const real alpha = cg_alpha(cg);
    const struct lap_pillar pillar = sweep_pillar(s, c.own, c.i, c.j);
    const real *const array[] = {f.d, f.r, f.x};
    const struct columns<1> columns = columns_of<1>(bl, m, c);
    struct open_ahead<MASKED> faces;
    faces.start(s.open, b.sz, at(b, c.i, c.j, c.z0), columns);
    sweep_star<1, 1>(
        b, s, bl, m, l, cells, c, columns, array,
        [&](int, ptrdiff_t o, struct level level, struct star here, const real *own, double *part) {
            const unsigned open = faces.take(0, o);
            const struct star v = star_close<MASKED>(here, open);
            const real r = own[0] - alpha * star_apply(pillar, level, s.shift, v);
            f.r_new[o] = r;
            f.x_new[o] = own[1] + alpha * v.c;
            part[1] = sum_larger(fabs(r * level.height.inverse), part[1]);
            if (f.z == NULL) return;
            real inverse;
            if constexpr (MASKED) {
                inverse = point_inverse_open(point_pillar_diag_open(pillar, level.height, s.shift, open));
            } else {
                inverse = 1 / point_pillar_diag(pillar, level.height, s.shift);
            }
            const real value = c0 * (r * inverse);
            f.z[o] = value;
            part[0] += (double)value * r;
        },
        [&](double *part) { part[1] /= pillar.area; });
}

static kol_status jacobi_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                                const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_UPDATE_APART);
    const struct layout l = star_layout(bl, m, 3);
    const auto kernel = s.open != NULL ? jacobi_update_kernel<true> : jacobi_update_kernel<false>;
    return sweep_launch("laplace_update", kernel, m.grid, m.side * PIECE_THREADS, l.end, b, s, bl, m, l,
                        cells, cg, p.c0, f);
}

kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, struct poly1 p, const real *d, const real *x,
                          real *x_new, const real *r, real *r_new, real *z, real *planes)
{
    (void)planes;
    const struct vectors f = {d, r, x, x_new, r_new, z};
    if (s.open != NULL && p.c1 != 0) RAISE(KOL_ERR_INTERNAL, "laplace_update: only degree 0 with bodies");
    return p.c1 != 0 ? polynomial_update(b, s, bl, cells, cg, p, f)
                     : jacobi_update(b, s, bl, cells, cg, p, f);
}

/* 1: measurements show that two arrays are faster than reading and writing the same one in a march. */
int laplace_update_apart(void)
{
    return 1;
}

/* No scratch is needed, because planes of y stay in shared memory. */
ptrdiff_t laplace_update_scratch(struct box b)
{
    (void)b;
    return 1;
}
