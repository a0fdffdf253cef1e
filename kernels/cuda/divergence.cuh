/* The kernel that computes the divergence, with or without sums of the velocity times waves. It sweeps
 * upwards in z. What a cell shares with the cell above is carried in a register. */
#ifndef KOL_CUDA_DIVERGENCE_CUH
#define KOL_CUDA_DIVERGENCE_CUH

#include "../point/projection.h"
#include "wave_sums.cuh"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

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

/* nothing_more, bulk, box_wave_sums: what a launch sums besides the numbers of project_divergence(). Waves
 * need the registers of two threads. LEAST, LEAST_SINGLE: thread blocks that a multiprocessor shall hold, the
 * latter with right-hand sides in single precision, for which three do without spills. With waves this kernel
 * is not limited by memory, so that more warps help. */
struct nothing_more {
};
template <class More> struct divergence_kind {
    enum { WAVES = 1, BULK = 0, THREADS = PIECE_THREADS, LEAST = 2, LEAST_SINGLE = 3 };
};
template <> struct divergence_kind<struct nothing_more> {
    enum { WAVES = 0, BULK = 0, THREADS = DIV_THREADS, LEAST = 2, LEAST_SINGLE = 2 };
};
template <> struct divergence_kind<struct bulk> {
    enum { WAVES = 0, BULK = 1, THREADS = DIV_THREADS, LEAST = 2, LEAST_SINGLE = 2 };
};

/* out, Out: shape and type of the right-hand sides. scale: they are multiplied by it before they are stored,
 * if they are not in the fields' shape. */
template <class Out, bool OTHER, class More>
static __global__ void __launch_bounds__(divergence_kind<More>::THREADS,
                                         OTHER ? divergence_kind<More>::LEAST_SINGLE
                                               : divergence_kind<More>::LEAST)
    divergence_kernel(struct box b, struct box out, struct metrics m, struct blocks bl,
                      const __grid_constant__ struct march march, struct cells cells, real idts, real scale,
                      const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w,
                      Out *KOL_RESTRICT rhs, const __grid_constant__ More more)
{
    enum { STOCK = DIV_VALUES * DIV_SLOTS * divergence_kind<More>::THREADS };
    constexpr int BULK = divergence_kind<More>::BULK;
    extern __shared__ real memory[];
    const struct tile t = tile_of(bl, march);
    if (!tile_wanted(b, t, cells)) return;
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    double area = 0;
    if constexpr (BULK) area = (double)more.wx[i] * more.wy[j];
    const real ix = m.dxi_c[i], iy = m.dyi_c[j], wx = m.dx_c[i], wy = m.dy_c[j];
    ptrdiff_t o = at(b, i, j, t.z0);
    Out *to = rhs + at(out, i, j, t.z0);
    real wl = w[o];
    struct stock<DIV_VALUES, DIV_SLOTS> stock;
    stock_begin(stock, memory);
    for (int n = 0; n < DIV_SLOTS - 1; ++n, o += b.sz) {
        divergence_fetch(b, stock, n, t.own && t.z0 + n < t.z1, u, v, w, o);
    }
    struct wave_part wave = {};
    double *const row_sums = (double *)(memory + STOCK);
    struct wave_level *level = NULL; /* the present one */
    if constexpr (divergence_kind<More>::WAVES) {
        level = (struct wave_level *)(row_sums + folding_values(march));
        wave_levels_load(m, more.waves, t, level);
        folding_begin(b, more.waves, march, t);
    }
    const auto plane = [&](int k, double *part) {
        if (!t.own) return;
        const int ahead = DIV_SLOTS - 1;
        divergence_fetch(b, stock, ahead, k + ahead < t.z1, u, v, w, o);
        real a[DIV_VALUES];
        stock_take(stock, a);
        const real iz = divergence_kind<More>::WAVES ? (real)level->inverse : m.dzi_c[k],
                   wz = divergence_kind<More>::WAVES ? (real)level->width : m.dz_c[k];
        const real div = point_div(a[DIV_UL], a[DIV_UH], a[DIV_VL], a[DIV_VH], wl, a[DIV_WH], ix, iy, iz);
        const real f = point_poisson(div, wx, wy, wz, idts);
        *to = (Out)(OTHER ? scale * f : f);
        part[0] += f;
        part[1] += fabs(f);
        if constexpr (BULK)
            part[2] += area * more.wz[k] * (more.d == X ? a[DIV_UL] : more.d == Y ? a[DIV_VL] : wl);
        part[2 + BULK] = sum_larger(fabs(div), part[2 + BULK]);
        if constexpr (divergence_kind<More>::WAVES) wave_part_add(wave, level++->z, a[DIV_UL], a[DIV_VL], wl);
        wl = a[DIV_WH];
        o += b.sz;
        to += out.sz;
    };
    sum_sweep<2 + BULK, 1>(bl, march, t, 0, plane, [&](double *) {
        if constexpr (divergence_kind<More>::WAVES) wave_part_fold(more, march, wave, row_sums);
    });
}

/* diverge: launches it. The pieces of a thread block that sums waves lie above each other only. */
template <class Out, bool OTHER, class More>
static kol_status diverge(struct box b, struct box out, struct metrics m, struct blocks bl,
                          struct cells cells, real dts, real scale, const real *u, const real *v,
                          const real *w, Out *rhs, More more)
{
    struct shape shape = shape_chosen(TUNE_DIVERGENCE);
    if (divergence_kind<More>::WAVES) shape.y = 1;
    const struct march march = march_split(bl, march_of(bl, shape), cells);
    if (march_none(march)) return KOL_OK;
    const unsigned threads = (unsigned)march.side * PIECE_THREADS;
    const size_t of_waves = divergence_kind<More>::WAVES
                                ? folding_values(march) * sizeof(double) + wave_levels_bytes(bl, march)
                                : 0,
                 bytes = stock_bytes<DIV_VALUES, DIV_SLOTS>(threads) + of_waves;
    const auto kernel = divergence_kernel<Out, OTHER, More>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<march.grid, threads, bytes, queue_stream()>>>(b, out, m, bl, march, cells, 1 / dts, scale, u, v,
                                                           w, rhs, more);
    CUDA_LAUNCHED("project_divergence");
    return KOL_OK;
}

#endif
