#include "../momentum.h"
#include "../point/lap.h"
#include "../point/momentum.h"

/* Metrics of one row (j, k) of momentum points. Along x they vary from point to point, so the three components
 * differ in what is constant along the row; the loops below are otherwise the same. */
static void row_u(struct box b, struct metrics m, int j, int k, int i0, int i1, real nu,
                  const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                  real *KOL_RESTRICT r)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = i0; i < i1; ++i) {
        const struct momentum_values a = point_values(u, v, w, row + i, 1, b.sy, b.sz);
        r[row + i] = point_momentum(a, point_spacings_u(m, i, j, k), nu);
    }
}

static void row_v(struct box b, struct metrics m, int j, int k, int i0, int i1, real nu,
                  const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                  real *KOL_RESTRICT r)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = i0; i < i1; ++i) {
        const struct momentum_values a = point_values(v, u, w, row + i, b.sy, 1, b.sz);
        r[row + i] = point_momentum(a, point_spacings_v(m, i, j, k), nu);
    }
}

static void row_w(struct box b, struct metrics m, int j, int k, int i0, int i1, real nu,
                  const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                  real *KOL_RESTRICT r)
{
    const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
    for (int i = i0; i < i1; ++i) {
        const struct momentum_values a = point_values(w, u, v, row + i, b.sz, 1, b.sy);
        r[row + i] = point_momentum(a, point_spacings_w(m, i, j, k), nu);
    }
}

kol_status momentum_rhs(struct box b, struct metrics m, struct range range, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw)
{
    for (int k = range.lo[Z]; k < range.hi[Z]; ++k) {
        for (int j = range.lo[Y]; j < range.hi[Y]; ++j) {
            row_u(b, m, j, k, range.lo[X], range.hi[X], nu, u, v, w, ru);
            row_v(b, m, j, k, range.lo[X], range.hi[X], nu, u, v, w, rv);
            row_w(b, m, j, k, range.lo[X], range.hi[X], nu, u, v, w, rw);
        }
    }
    return KOL_OK;
}

kol_status stencil_source(struct box b, struct stencil s, real factor, const real *KOL_RESTRICT base,
                          const real *KOL_RESTRICT x, real *KOL_RESTRICT y)
{
    s.scale = 1;
    for (int k = 0; k < b.nz; ++k) {
        for (int j = 0; j < b.ny; ++j) {
            const ptrdiff_t row = at(b, 0, j, k);
#pragma omp simd
            for (int i = 0; i < b.nx; ++i) {
                const ptrdiff_t o = row + i;
                const struct lap_coef c = point_lap_coef(s, i, j, k);
                y[o] = point_source(c, base[o], factor,
                                    point_lap_apply(c, 0, x[o], x[o - 1], x[o + 1], x[o - b.sy], x[o + b.sy],
                                                    x[o - b.sz], x[o + b.sz]));
            }
        }
    }
    return KOL_OK;
}
