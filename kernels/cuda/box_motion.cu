/* Adds up the energy and the momentum of a velocity. Multiplications and additions of this file are not fused
 * (Makefile), so that correct_limits.cu gives the same bits. */
#include "../box_forcing.h"
#include "../point/projection.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* The own values are copied ahead. */
enum { SUM_VALUES = 3, SUM_SLOTS = 5 };

__device__ __forceinline__ void sums_fetch(const struct stock<SUM_VALUES, SUM_SLOTS> &s, int ahead,
                                           bool wanted, const real *u, const real *v, const real *w,
                                           ptrdiff_t o)
{
    const real *const from[SUM_VALUES] = {u + o, v + o, w + o};
    stock_fetch(s, ahead, wanted, from);
}

static __global__ void __launch_bounds__(PIECE_THREADS, 4)
    sums_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    extern __shared__ real memory[];
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0, ahead = SUM_SLOTS - 1;
    const struct monitor_spacings x = point_monitor_x(m, i), y = point_monitor_y(m, j);
    ptrdiff_t o = at(b, i, j, t.z0);
    struct stock<SUM_VALUES, SUM_SLOTS> stock;
    stock_begin(stock, memory);
    for (int n = 0; n < ahead; ++n) sums_fetch(stock, n, t.own && t.z0 + n < t.z1, u, v, w, o + n * b.sz);
    sum_march<BOX_SUMS, 0>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        sums_fetch(stock, ahead, k + ahead < t.z1, u, v, w, o + ahead * b.sz);
        real a[SUM_VALUES];
        stock_take(stock, a);
        const struct motion_terms add = point_motion_terms(a[X], a[Y], a[Z], x, y, point_monitor_z(m, k));
        part[BOX_SUM_ENERGY] += add.energy;
        part[BOX_SUM_MOMENTUM + X] += add.mx;
        part[BOX_SUM_MOMENTUM + Y] += add.my;
        part[BOX_SUM_MOMENTUM + Z] += add.mz;
        o += b.sz;
    });
}

kol_status box_motion(struct box b, struct metrics m, struct blocks bl, real *const vel[3])
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "box_motion: no launch has %d pieces side by side", march.side);
    const size_t bytes = stock_bytes<SUM_VALUES, SUM_SLOTS>(PIECE_THREADS);
    CUDA_TRY(cudaFuncSetAttribute(sums_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    sums_kernel<<<march.grid, PIECE_THREADS, bytes, queue_stream()>>>(b, m, bl, march, vel[X], vel[Y],
                                                                      vel[Z]);
    CUDA_LAUNCHED("box_motion");
    return KOL_OK;
}
