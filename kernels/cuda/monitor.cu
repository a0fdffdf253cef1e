/* Sums the diagnostics of a step: all of them, or those that every step needs. Both kernels give the same
 * bits, because multiplications and additions of this file are not fused (Makefile). */
#include "check.cuh"
#include "limits.cuh"
#include "queue.cuh"
#include "tile.cuh"

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
    largest_add(ul, uh, vl, vh, wl, wh, x, y, z, part + MON_SUMS);
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

/* What the limits of a cell read, besides the velocity on its lower face in z; it is copied ahead. */
enum { LIM_UL, LIM_UH, LIM_VL, LIM_VH, LIM_WH, LIM_VALUES };
enum { LIM_SLOTS = 4 };

__device__ __forceinline__ void limits_fetch(struct box b, const struct stock<LIM_VALUES, LIM_SLOTS> &s,
                                             int ahead, bool wanted, const real *u, const real *v,
                                             const real *w, ptrdiff_t o)
{
    const real *const from[LIM_VALUES] = {u + o, u + o + 1, v + o, v + o + b.sy, w + o + b.sz};
    stock_fetch(s, ahead, wanted, from);
}

static __global__ void __launch_bounds__(PIECE_THREADS, 4)
    limits_kernel(struct box b, struct metrics m, struct blocks bl,
                  const __grid_constant__ struct march march, struct cells cells, const real *KOL_RESTRICT u,
                  const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    extern __shared__ real memory[];
    const struct tile t = tile_of(bl, march);
    if (!tile_wanted(b, t, cells)) return;
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const struct monitor_spacings x = point_monitor_x(m, i), y = point_monitor_y(m, j);
    ptrdiff_t o = at(b, i, j, t.z0);
    real wl = w[o];
    struct stock<LIM_VALUES, LIM_SLOTS> stock;
    stock_begin(stock, memory);
    for (int n = 0; n < LIM_SLOTS - 1; ++n) {
        limits_fetch(b, stock, n, t.own && t.z0 + n < t.z1, u, v, w, o + n * b.sz);
    }
    sum_march<LIM_SUMS, LIM_COUNT - LIM_SUMS>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        const int ahead = LIM_SLOTS - 1;
        limits_fetch(b, stock, ahead, k + ahead < t.z1, u, v, w, o + ahead * b.sz);
        real a[LIM_VALUES];
        stock_take(stock, a);
        limits_add(a[LIM_UL], a[LIM_UH], a[LIM_VL], a[LIM_VH], wl, a[LIM_WH], x, y, point_monitor_z(m, k),
                   part);
        wl = a[LIM_WH];
        o += b.sz;
    });
}

kol_status project_limits(struct box b, struct metrics m, struct blocks bl, struct cells cells, const real *u,
                          const real *v, const real *w)
{
    const struct march march = march_make(bl, TUNE_MONITOR, cells);
    if (march_none(march)) return KOL_OK;
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "project_limits: no launch has %d pieces side by side", march.side);
    const size_t bytes = stock_bytes<LIM_VALUES, LIM_SLOTS>(PIECE_THREADS);
    CUDA_TRY(cudaFuncSetAttribute(limits_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    limits_kernel<<<march.grid, PIECE_THREADS, bytes, queue_stream()>>>(b, m, bl, march, cells, u, v, w);
    CUDA_LAUNCHED("project_limits");
    return KOL_OK;
}
