#include "../project.h"
#include "../point/lap.h"
#include "../point/project.h"
#include "../point/update.h"
#include "check.cuh"
#include "reduce.cuh"

static __global__ void __launch_bounds__(SUM_THREADS)
    divergence_kernel(struct box b, struct metrics m, struct blocks bl, real idts, const real *KOL_RESTRICT u,
                      const real *KOL_RESTRICT v, const real *KOL_RESTRICT w, real *KOL_RESTRICT rhs)
{
    sum_cells<2, 1>(bl, [&](int i, int j, int k, double *part) {
        const ptrdiff_t o = at(b, i, j, k);
        const real div = point_div(u[o], u[o + 1], v[o], v[o + b.sy], w[o], w[o + b.sz], m.dxi_c[i],
                                   m.dyi_c[j], m.dzi_c[k]);
        const real f = point_poisson(div, m.dx_c[i], m.dy_c[j], m.dz_c[k], idts);
        rhs[o] = f;
        part[0] += f;
        part[1] += point_abs(f);
        part[2] = sum_larger(point_abs(div), part[2]);
    });
}

kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, real dts, const real *u,
                              const real *v, const real *w, real *rhs)
{
    divergence_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, m, bl, 1 / dts, u, v, w, rhs);
    CUDA_LAUNCHED("project_divergence");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_THREADS)
    correct_kernel(struct box b, struct metrics m, int planes, real dts, const real *KOL_RESTRICT phi,
                   real *KOL_RESTRICT u, real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    tiles_each(range_all(b), planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        const real c = phi[o];
        u[o] = point_correct(u[o], dts, c, phi[o - 1], m.dxi_f[i]);
        v[o] = point_correct(v[o], dts, c, phi[o - b.sy], m.dyi_f[j]);
        w[o] = point_correct(w[o], dts, c, phi[o - b.sz], m.dzi_f[k]);
    });
}

kol_status project_correct(struct box b, struct metrics m, real dts, const real *phi, real *u, real *v,
                           real *w)
{
    const struct tiles t = tiles_make(range_all(b));
    correct_kernel<<<t.grid, t.threads>>>(b, m, t.planes, dts, phi, u, v, w);
    CUDA_LAUNCHED("project_correct");
    return KOL_OK;
}

/* p may be p_old: both are read and written at the own point only. */
static __global__ void __launch_bounds__(TILE_THREADS)
    pressure_kernel(struct box b, struct stencil s, int planes, real mean, real factor,
                    const real *KOL_RESTRICT phi, const real *p_old, real *p)
{
    tiles_each(range_all(b), planes, [&](int i, int j, int k) {
        const ptrdiff_t o = at(b, i, j, k);
        if (factor == 0) {
            p[o] = p_old[o] + (phi[o] - mean);
            return;
        }
        const struct lap_coef c = point_lap_coef(s, i, j, k);
        const real a = point_lap_apply(c, 0, phi[o], phi[o - 1], phi[o + 1], phi[o - b.sy], phi[o + b.sy],
                                       phi[o - b.sz], phi[o + b.sz]);
        p[o] = point_pressure(c, p_old[o], phi[o], mean, factor, a);
    });
}

kol_status project_pressure(struct box b, struct stencil s, real mean, real factor, const real *phi,
                            const real *p_old, real *p)
{
    const struct tiles t = tiles_make(range_all(b));
    pressure_kernel<<<t.grid, t.threads>>>(b, s, t.planes, mean, factor, phi, p_old, p);
    CUDA_LAUNCHED("project_pressure");
    return KOL_OK;
}

static __global__ void __launch_bounds__(SUM_THREADS)
    monitor_kernel(struct box b, struct metrics m, struct blocks bl, const real *KOL_RESTRICT u,
                   const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    sum_cells<MON_SUMS, MON_COUNT - MON_SUMS>(bl, [&](int i, int j, int k, double *part) {
        const struct monitor_terms t = point_monitor(b, m, u, v, w, i, j, k);
        part[MON_ENERGY] += t.energy;
        part[MON_DISS] += t.diss;
        part[MON_ENSTROPHY] += t.enstrophy;
        part[MON_MOM_X] += t.mx;
        part[MON_MOM_Y] += t.my;
        part[MON_MOM_Z] += t.mz;
        const ptrdiff_t o = at(b, i, j, k);
        const real ul = u[o], uh = u[o + 1], vl = v[o], vh = v[o + b.sy], wl = w[o], wh = w[o + b.sz];
        const real ix = m.dxi_c[i], iy = m.dyi_c[j], iz = m.dzi_c[k];
        const real div = point_div(ul, uh, vl, vh, wl, wh, ix, iy, iz);
        const real speed = point_larger(point_larger(point_abs(ul), point_abs(vl)), point_abs(wl));
        part[MON_DIV] = sum_larger(point_abs(div), part[MON_DIV]);
        part[MON_COURANT] = sum_larger(point_courant(ul, uh, vl, vh, wl, wh, ix, iy, iz), part[MON_COURANT]);
        part[MON_SPEED] = sum_larger(speed, part[MON_SPEED]);
    });
}

kol_status project_monitor(struct box b, struct metrics m, struct blocks bl, const real *u, const real *v,
                           const real *w)
{
    monitor_kernel<<<sum_grid(bl), SUM_THREADS>>>(b, m, bl, u, v, w);
    CUDA_LAUNCHED("project_monitor");
    return KOL_OK;
}
