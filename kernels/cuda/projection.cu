/* Computes the divergence, the correction of velocity and pressure, and the diagnostics of a step. */
#include "../projection.h"
#include "../point/laplace.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* The kernels sweep upwards in z. What a cell shares with the cell above is carried in a register. */

/* What the divergence of a cell reads, besides the velocity on its lower face in z; it is copied ahead. */
enum { DIV_UL, DIV_UH, DIV_VL, DIV_VH, DIV_WH, DIV_VALUES, DIV_SLOTS = 4 };
enum { DIV_THREADS = PIECES_MOST * PIECE_THREADS };

__device__ __forceinline__ void divergence_fetch(struct box b, const struct stock<DIV_VALUES, DIV_SLOTS> &s,
                                                 int ahead, bool wanted, const real *u, const real *v,
                                                 const real *w, ptrdiff_t o)
{
    const real *const from[DIV_VALUES] = {u + o, u + o + 1, v + o, v + o + b.sy, w + o + b.sz};
    stock_fetch(s, ahead, wanted, from);
}

static __global__ void __launch_bounds__(DIV_THREADS, 2)
    divergence_kernel(struct box b, struct metrics m, struct blocks bl,
                      const __grid_constant__ struct march march, struct cells cells, real idts,
                      const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                      real *KOL_RESTRICT rhs)
{
    extern __shared__ real memory[];
    const struct tile t = tile_of(bl, march);
    if (!tile_wanted(b, t, cells)) return;
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const real ix = m.dxi_c[i], iy = m.dyi_c[j], wx = m.dx_c[i], wy = m.dy_c[j];
    ptrdiff_t o = at(b, i, j, t.z0);
    real wl = w[o];
    struct stock<DIV_VALUES, DIV_SLOTS> stock;
    stock_begin(stock, memory);
    for (int n = 0; n < DIV_SLOTS - 1; ++n) {
        divergence_fetch(b, stock, n, t.own && t.z0 + n < t.z1, u, v, w, o + n * b.sz);
    }
    sum_march<2, 1>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        const int ahead = DIV_SLOTS - 1;
        divergence_fetch(b, stock, ahead, k + ahead < t.z1, u, v, w, o + ahead * b.sz);
        real a[DIV_VALUES];
        stock_take(stock, a);
        const real div =
            point_div(a[DIV_UL], a[DIV_UH], a[DIV_VL], a[DIV_VH], wl, a[DIV_WH], ix, iy, m.dzi_c[k]);
        const real f = point_poisson(div, wx, wy, m.dz_c[k], idts);
        rhs[o] = f;
        part[0] += f;
        part[1] += point_abs(f);
        part[2] = sum_larger(point_abs(div), part[2]);
        wl = a[DIV_WH];
        o += b.sz;
    });
}

kol_status project_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells, real dts,
                              const real *u, const real *v, const real *w, real *rhs)
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE, cells);
    if (march_none(march)) return KOL_OK;
    const unsigned threads = (unsigned)march.side * PIECE_THREADS;
    const size_t bytes = stock_bytes<DIV_VALUES, DIV_SLOTS>(threads);
    CUDA_TRY(
        cudaFuncSetAttribute(divergence_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    divergence_kernel<<<march.grid, threads, bytes, queue_stream()>>>(b, m, bl, march, cells, 1 / dts, u, v,
                                                                      w, rhs);
    CUDA_LAUNCHED("project_divergence");
    return KOL_OK;
}

enum { GRID_MOST = 65535 };

/* pressure: how the pressure is updated. With implicit diffusion it loses factor * lap(phi). */
enum pressure { NO_PRESSURE, PLAIN_PRESSURE, DIFFUSED_PRESSURE };

/* p may be p_old, because both are used at the own point only. */
template <enum pressure PRESSURE>
static __global__ void __launch_bounds__(TILE_MOST, 2)
    correct_kernel(struct box b, struct stencil s, int planes, struct correction a,
                   const real *KOL_RESTRICT phi, const real *p_old, real *p, real *KOL_RESTRICT u,
                   real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const real gx = s.gx[t.i], gy = s.gy[t.j];
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
    real below = phi[o - b.sz];
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const real c = phi[o], x_low = phi[o - 1], y_low = phi[o - b.sy];
        /* all loads come before the first store, so that they run at the same time */
        const real old_u = u[o], old_v = v[o], old_w = w[o], gz = s.gz[k];
        const real old = PRESSURE != NO_PRESSURE ? p_old[o] : 0;
        const real u_shift = point_shift(a.shift[X], a.profile, k),
                   v_shift = point_shift(a.shift[Y], a.profile, k);
        u[o] = point_correct(old_u + u_shift, a.dts, c, x_low, gx);
        v[o] = point_correct(old_v + v_shift, a.dts, c, y_low, gy);
        w[o] = point_correct(old_w + a.shift[Z], a.dts, c, below, gz);
        if (PRESSURE == PLAIN_PRESSURE) p[o] = old + (c - a.mean);
        if (PRESSURE == DIFFUSED_PRESSURE) {
            const struct lap_coef coef = point_lap_coef(s, t.i, t.j, k);
            const real minus_lap =
                point_lap_apply(coef, 0, c, x_low, phi[o + 1], y_low, phi[o + b.sy], below, phi[o + b.sz]);
            p[o] = point_pressure(coef, old, c, a.mean, a.factor, minus_lap);
        }
        below = c;
    }
}

kol_status project_correct(struct box b, struct stencil s, struct correction c, const real *phi,
                           const real *p_old, real *p, real *u, real *v, real *w)
{
    struct shape shape = shape_chosen(TUNE_CORRECT);
    if (b.ny > GRID_MOST || b.nz > GRID_MOST) shape = TILE_PLAIN; /* a launch has no more blocks in y and z */
    if (shape.x * shape.y > TILE_MOST) {
        RAISE(KOL_ERR_INTERNAL, "project_correct: no launch has tiles of %d x %d", shape.x, shape.y);
    }
    auto kernel = p == NULL       ? correct_kernel<NO_PRESSURE>
                  : c.factor == 0 ? correct_kernel<PLAIN_PRESSURE>
                                  : correct_kernel<DIFFUSED_PRESSURE>;
    kernel<<<tile_grid(b, shape), tile_threads(shape), 0, queue_stream()>>>(b, s, shape.z, c, phi, p_old, p,
                                                                            u, v, w);
    CUDA_LAUNCHED("project_correct");
    return KOL_OK;
}

/* What the diagnostics read at a plane, besides the values carried from the plane below. */
enum { MON_UL, MON_UH, MON_U_YL, MON_VL, MON_VH, MON_V_XL, MON_WH, MON_W_XL, MON_W_YL, MON_VALUES };
enum { MON_SLOTS = 3 };

__device__ __forceinline__ void monitor_fetch(struct box b, const struct stock<MON_VALUES, MON_SLOTS> &s,
                                              int ahead, bool wanted, const real *u, const real *v,
                                              const real *w, ptrdiff_t o)
{
    const real *const from[MON_VALUES] = {u + o,     u + o + 1,    u + o - b.sy, v + o,       v + o + b.sy,
                                          v + o - 1, w + o + b.sz, w + o - 1,    w + o - b.sy};
    stock_fetch(s, ahead, wanted, from);
}

/* monitor_add: adds the terms of one cell. */
__device__ __forceinline__ void monitor_add(const real a[MON_VALUES], real u_zl, real v_zl, real wl,
                                            struct monitor_spacings x, struct monitor_spacings y,
                                            struct monitor_spacings z, double *part)
{
    const real ul = a[MON_UL], uh = a[MON_UH], vl = a[MON_VL], vh = a[MON_VH], wh = a[MON_WH];
    const struct monitor_values q = {ul, uh,   a[MON_U_YL], u_zl,        vl,          a[MON_V_XL],
                                     vh, v_zl, wl,          a[MON_W_XL], a[MON_W_YL], wh};
    const struct monitor_terms add = point_monitor_terms(q, x, y, z);
    part[MON_ENERGY] += add.energy;
    part[MON_DISS] += add.diss;
    part[MON_ENSTROPHY] += add.enstrophy;
    part[MON_MOM_X] += add.mx;
    part[MON_MOM_Y] += add.my;
    part[MON_MOM_Z] += add.mz;
    const real ix = (real)x.inv_c, iy = (real)y.inv_c, iz = (real)z.inv_c;
    const real div = point_div(ul, uh, vl, vh, wl, wh, ix, iy, iz);
    const real speed = point_larger(point_larger(point_abs(ul), point_abs(vl)), point_abs(wl));
    part[MON_DIV] = sum_larger(point_abs(div), part[MON_DIV]);
    part[MON_COURANT] = sum_larger(point_courant(ul, uh, vl, vh, wl, wh, ix, iy, iz), part[MON_COURANT]);
    part[MON_SPEED] = sum_larger(speed, part[MON_SPEED]);
}

static __global__ void __launch_bounds__(PIECE_THREADS, 3)
    monitor_kernel(struct box b, struct metrics m, struct blocks bl,
                   const __grid_constant__ struct march march, struct cells cells, const real *KOL_RESTRICT u,
                   const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    extern __shared__ real memory[];
    const struct tile t = tile_of(bl, march);
    if (!tile_wanted(b, t, cells)) return;
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const struct monitor_spacings x = point_monitor_x(m, i), y = point_monitor_y(m, j);
    ptrdiff_t o = at(b, i, j, t.z0);
    real u_zl = u[o - b.sz], v_zl = v[o - b.sz], wl = w[o];
    struct stock<MON_VALUES, MON_SLOTS> stock;
    stock_begin(stock, memory);
    for (int n = 0; n < MON_SLOTS - 1; ++n) {
        monitor_fetch(b, stock, n, t.own && t.z0 + n < t.z1, u, v, w, o + n * b.sz);
    }
    sum_march<MON_SUMS, MON_COUNT - MON_SUMS>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        const int ahead = MON_SLOTS - 1;
        monitor_fetch(b, stock, ahead, k + ahead < t.z1, u, v, w, o + ahead * b.sz);
        real a[MON_VALUES];
        stock_take(stock, a);
        monitor_add(a, u_zl, v_zl, wl, x, y, point_monitor_z(m, k), part);
        u_zl = a[MON_UL];
        v_zl = a[MON_VL];
        wl = a[MON_WH];
        o += b.sz;
    });
}

/* Adds the terms of cells beside walls to the sums of monitor_kernel, with the same march. As part of that
 * sweep it would cost all cells registers. */
static __global__ void __launch_bounds__(PIECE_THREADS)
    monitor_walls_kernel(struct box b, struct metrics m, const __grid_constant__ struct walls walls,
                         struct blocks bl, const __grid_constant__ struct march march, struct cells cells,
                         const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const struct tile t = tile_of(bl, march);
    if (!tile_wanted(b, t, cells)) return;
    if ((tile_touched(b, t, 1) & walls.faces) == 0) return;
    sum_sweep<MON_SUMS, 0, 1, true>(
        bl, march, t, 0,
        [&](int k, double *part) {
            if (!t.own || !point_at_wall(b, walls, t.i, t.j, k)) return;
            const struct wall_terms add = point_monitor_walls(b, m, walls, u, v, w, t.i, t.j, k);
            part[MON_ENERGY] += add.energy;
            part[MON_MOM_X] += add.momentum[X];
            part[MON_MOM_Y] += add.momentum[Y];
            part[MON_MOM_Z] += add.momentum[Z];
            part[MON_DISS] += add.diss;
            part[MON_ENSTROPHY] += add.enstrophy;
            part[MON_WORK] += add.work;
        },
        [](double *) {});
}

kol_status project_monitor(struct box b, struct metrics m, struct walls walls, struct blocks bl,
                           struct cells cells, const real *u, const real *v, const real *w)
{
    const struct march march = march_make(bl, TUNE_MONITOR, cells);
    if (march_none(march)) return KOL_OK;
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "project_monitor: no launch has %d pieces side by side", march.side);
    const size_t bytes = stock_bytes<MON_VALUES, MON_SLOTS>(PIECE_THREADS);
    CUDA_TRY(cudaFuncSetAttribute(monitor_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    monitor_kernel<<<march.grid, PIECE_THREADS, bytes, queue_stream()>>>(b, m, bl, march, cells, u, v, w);
    CUDA_LAUNCHED("project_monitor");
    if (walls.faces == 0) return KOL_OK;
    monitor_walls_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, walls, bl, march, cells, u,
                                                                           v, w);
    CUDA_LAUNCHED("project_monitor");
    return KOL_OK;
}
