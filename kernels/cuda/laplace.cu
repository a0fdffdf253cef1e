#include "../laplace.h"
#include "../point/lap.h"
#include "../point/project.h"
#include "check.cuh"
#include "reduce.cuh"

/* No sweep here works in place on neighbours: what neighbours read is finished by a kernel before. */

__device__ __forceinline__ real apply(struct box b, struct stencil s, struct lap_coef c, const real *x,
                                      ptrdiff_t o)
{
    return point_lap_apply(c, s.shift, x[o], x[o - 1], x[o + 1], x[o - b.sy], x[o + b.sy], x[o - b.sz],
                           x[o + b.sz]);
}

/* rhs may be r: both at the own point only. */
static __global__ void __launch_bounds__(SUM_THREADS)
    residual_kernel(struct box b, struct stencil s, struct blocks bl, real mean, const real *rhs,
                    const real *KOL_RESTRICT x, real *r)
{
    sum_cells<2, 1>(bl, [&](int i, int j, int k, double *part) {
        const ptrdiff_t o = at(b, i, j, k);
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real res = point_residual(c, rhs[o], mean, apply(b, s, c, x, o));
        r[o] = res;
        part[0] += res;
        part[1] += (double)c.vol * x[o];
        part[2] = sum_larger(point_abs(res) / c.vol, part[2]);
    });
}

kol_status laplace_residual(struct box b, struct stencil s, struct blocks bl, real mean, const real *rhs,
                            const real *x, real *r)
{
    residual_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, s, bl, mean, rhs, x, r);
    CUDA_LAUNCHED("laplace_residual");
    return KOL_OK;
}

/* Own cells and the layer beyond each face, without edges. In x the range starts so far out that warps stay aligned
 * to KOL_ALIGN_BYTES; what lies between is skipped by is_faced. */
static struct range range_faced(struct box b)
{
    struct range r = range_all(b);
    r.lo[X] = -(int)(KOL_ALIGN_BYTES / sizeof(real));
    r.lo[Y] = r.lo[Z] = -1;
    for (int d = X; d <= Z; ++d) r.hi[d] += 1;
    return r;
}

/* is_outside: in how many directions a cell lies beyond the own ones: 0 own, 1 halo face. */
__device__ __forceinline__ int is_outside(struct box b, int i, int j, int k)
{
    return (i < 0 || i >= b.nx) + (j < 0 || j >= b.ny) + (k < 0 || k >= b.nz);
}

__device__ __forceinline__ bool is_faced(struct box b, int i, int j, int k)
{
    return i >= -1 && is_outside(b, i, j, k) <= 1;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    direction_kernel(struct box b, struct range range, int planes, real beta, const real *KOL_RESTRICT z,
                     real *KOL_RESTRICT d)
{
    tiles_each(range, planes, [&](int i, int j, int k) {
        if (!is_faced(b, i, j, k)) return;
        const ptrdiff_t o = at(b, i, j, k);
        d[o] = beta == 0 ? z[o] : z[o] + beta * d[o];
    });
}

static __global__ void __launch_bounds__(SUM_THREADS)
    apply_kernel(struct box b, struct stencil s, struct blocks bl, const real *KOL_RESTRICT d,
                 real *KOL_RESTRICT q)
{
    sum_cells<1, 0>(bl, [&](int i, int j, int k, double *part) {
        const ptrdiff_t o = at(b, i, j, k);
        const real a = apply(b, s, point_lap_coef(s, i, j, k), d, o);
        q[o] = a;
        part[0] += (double)a * d[o];
    });
}

kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, real beta, const real *z,
                             real *d, real *q)
{
    const struct range range = range_faced(b);
    const struct tiles t = tiles_make(range);
    direction_kernel<<<t.grid, t.threads>>>(b, range, t.planes, beta, z, d);
    CUDA_LAUNCHED("laplace_direction, new direction");
    apply_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, s, bl, d, q);
    CUDA_LAUNCHED("laplace_direction, operator");
    return KOL_OK;
}

/* The polynomial makes y of each neighbour anew, so no plane is kept between kernels. */
ptrdiff_t laplace_plane_scratch(struct box b)
{
    (void)b;
    return 1;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    advance_kernel(struct box b, struct range range, int planes, real alpha, const real *KOL_RESTRICT d,
                   const real *KOL_RESTRICT q, real *KOL_RESTRICT x, real *KOL_RESTRICT r)
{
    tiles_each(range, planes, [&](int i, int j, int k) {
        if (!is_faced(b, i, j, k)) return;
        const ptrdiff_t o = at(b, i, j, k);
        r[o] -= alpha * q[o];
        if (is_outside(b, i, j, k) == 0) x[o] += alpha * d[o];
    });
}

/* y = r / D at one point, own or on a halo face. */
__device__ __forceinline__ real scaled(struct box b, struct stencil s, const real *r, int i, int j, int k)
{
    return r[at(b, i, j, k)] * (1 / point_lap_coef(s, i, j, k).diag);
}

static __global__ void __launch_bounds__(SUM_THREADS)
    polynomial_kernel(struct box b, struct stencil s, struct blocks bl, struct poly1 p,
                      const real *KOL_RESTRICT r, real *KOL_RESTRICT z)
{
    sum_cells<1, 1>(bl, [&](int i, int j, int k, double *part) {
        const ptrdiff_t o = at(b, i, j, k);
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real rc = r[o];
        const real inverse = 1 / c.diag, y = rc * inverse;
        real value = p.c0 * y;
        if (p.c1 != 0) {
            const real sum = point_lap_neighbours(
                c, scaled(b, s, r, i - 1, j, k), scaled(b, s, r, i + 1, j, k), scaled(b, s, r, i, j - 1, k),
                scaled(b, s, r, i, j + 1, k), scaled(b, s, r, i, j, k - 1), scaled(b, s, r, i, j, k + 1));
            value = point_polynomial(p.c0, y, p.c1, sum, inverse);
        }
        z[o] = value;
        part[0] += (double)value * rc;
        part[1] = sum_larger(point_abs(rc) / c.vol, part[1]);
    });
}

kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, real alpha, const real *d,
                          const real *q, struct poly1 p, real *x, real *r, real *z, real *planes)
{
    (void)planes;
    if (d != NULL) {
        const struct range range = p.c1 != 0 ? range_faced(b) : range_all(b);
        const struct tiles t = tiles_make(range);
        advance_kernel<<<t.grid, t.threads>>>(b, range, t.planes, alpha, d, q, x, r);
        CUDA_LAUNCHED("laplace_update, solution and residual");
    }
    polynomial_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, s, bl, p, r, z);
    CUDA_LAUNCHED("laplace_update, polynomial");
    return KOL_OK;
}

/* z_next may be z_prev: both at the own point only. */
static __global__ void __launch_bounds__(SUM_THREADS)
    chebyshev_kernel(struct box b, struct stencil s, struct blocks bl, real momentum, real step, real y0,
                     const real *KOL_RESTRICT r, const real *KOL_RESTRICT z, const real *z_prev, real *z_next)
{
    sum_cells<1, 0>(bl, [&](int i, int j, int k, double *part) {
        const ptrdiff_t o = at(b, i, j, k);
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real zc = z[o], rc = r[o], inverse = 1 / c.diag;
        const real prev = z_prev != NULL ? z_prev[o] : y0 * (rc * inverse);
        const real next = point_chebyshev(zc, prev, momentum, step, rc, apply(b, s, c, z, o), inverse);
        z_next[o] = next;
        part[0] += (double)next * rc;
    });
}

kol_status laplace_chebyshev(struct box b, struct stencil s, struct blocks bl, real momentum, real step,
                             real y0, const real *r, const real *z, const real *z_prev, real *z_next)
{
    chebyshev_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, s, bl, momentum, step, y0, r, z, z_prev, z_next);
    CUDA_LAUNCHED("laplace_chebyshev");
    return KOL_OK;
}
