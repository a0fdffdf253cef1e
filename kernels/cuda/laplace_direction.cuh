/* The march that forms the search direction of conjugate gradients, for laplace_direction.cu and
 * laplace_advance.cu. */
#ifndef KOL_CUDA_LAPLACE_DIRECTION_CUH
#define KOL_CUDA_LAPLACE_DIRECTION_CUH

#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

/* combine: returns one value of the new direction. The direction is not exchanged between ranks. Each rank
 * forms it on its halo, too, by this same operation, so that the halo gets the bits of its owner. If beta =
 * 0, d holds nothing yet. */
__device__ __forceinline__ real combine(real beta, real z, real d)
{
    return fma(beta, d, z);
}

/* The values of z and d that a thread combines itself are copied to slots. They belong to its own columns and
 * to one column of the halo. Values of neighbouring threads are neighbours. DIRECTION_AHEAD planes are being
 * copied. */
enum { DIRECTION_AHEAD = 3, DIRECTION_SLOTS = DIRECTION_AHEAD + 1 };

/* besides: ARRAYS arrays in addition to z and d, of which only own values are needed. They are copied to the
 * slots, too. */
template <int ARRAYS> struct besides {
    const real *array[ARRAYS > 0 ? ARRAYS : 1];
};

/* SLOT_VALUES: values of a slot for each thread. z at column n is value 2 n and d value 2 n + 1.
 * besides_place: the place of the other arrays. */
template <int COLUMNS, int ARRAYS> constexpr int SLOT_VALUES = 2 * (COLUMNS + 1) + COLUMNS *ARRAYS;
template <int COLUMNS, int ARRAYS> __device__ constexpr int besides_place(int column, int array)
{
    return 2 * (COLUMNS + 1) + column * ARRAYS + array;
}

/* Two frames of d_new, then the slots. */
template <int COLUMNS, int ARRAYS>
static inline struct layout direction_layout(struct blocks bl, const struct march &m)
{
    const int frame = frame_values<1, COLUMNS>(m),
              slot = SLOT_VALUES<COLUMNS, ARRAYS> * m.side * PIECE_THREADS;
    return layout_make(levels_values(bl, m, 0), 2 * frame, frame, slot, DIRECTION_SLOTS);
}

/* pairs: the columns of a thread. own, halo: places of the first one, and of the column of the halo, on the
 * next plane to copy. */
template <int COLUMNS> struct pairs {
    struct columns<COLUMNS> columns;
    struct column own, halo;
};

/* pairs_fetch: copies this thread's part of plane k, which is the next one. slot: the thread's own place in
 * it. */
template <int COLUMNS, int ARRAYS>
__device__ __forceinline__ void pairs_fetch(struct pairs<COLUMNS> &a, const struct tile &c, const real *z,
                                            const real *d, const struct besides<ARRAYS> &other, int k,
                                            real *slot, ptrdiff_t step)
{
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        if (!a.columns.own[q] || k > c.z1) continue;
        sweep_copy(slot + 2 * q * blockDim.x, z + a.own.o + a.columns.right[q]);
        sweep_copy(slot + (2 * q + 1) * blockDim.x, d + a.own.o + a.columns.right[q]);
        if (k == c.z1) continue;
#pragma unroll
        for (int n = 0; n < ARRAYS; ++n)
            sweep_copy(slot + besides_place<COLUMNS, ARRAYS>(q, n) * blockDim.x,
                       other.array[n] + a.own.o + a.columns.right[q]);
    }
    if (a.halo.any && k < c.z1) {
        sweep_copy(slot + 2 * COLUMNS * blockDim.x, z + a.halo.o);
        sweep_copy(slot + (2 * COLUMNS + 1) * blockDim.x, d + a.halo.o);
    }
    copy_async_commit();
    a.own.o += step;
    a.halo.o += step;
}

/* pair_combined: d_new of the plane in a slot, at column n of the thread; n = COLUMNS is the column of the
 * halo. */
__device__ __forceinline__ real pair_combined(real beta, const real *slot, int n)
{
    return combine(beta, slot[2 * n * blockDim.x], slot[(2 * n + 1) * blockDim.x]);
}

/* direction_march: marches like sweep_star, with d_new = z + beta d as the first array. d_new is formed once
 * for each cell of the tile and its halo, and put into one of two frames in shared memory, which take turns.
 * It calls point(n, o, level, star, own, part), where own[] holds values of the other arrays. */
template <int SUMS, int MAXIMA, int COLUMNS, int ARRAYS, class Point, class Close>
__device__ __forceinline__ void direction_march(struct box b, struct stencil s, struct blocks bl,
                                                const struct march &m, const struct layout &l,
                                                struct cells cells, const struct tile &c, real beta,
                                                const real *z, const real *d, struct besides<ARRAYS> other,
                                                struct pairs<COLUMNS> a, Point point, Close close)
{
    enum { PITCH = FRAME_PITCH<1, COLUMNS> };
    const struct around r = around_make(b, cells);
    const struct level *const levels = levels_of(c, 0);
    const int mine = (int)threadIdx.x;
    ptrdiff_t o = a.own.o;
    struct star v[COLUMNS];
    const ptrdiff_t below = around_step(b, r, c.z0 - 1);
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        const ptrdiff_t first = o + a.columns.right[q];
        v[q].zl = a.columns.own[q] ? combine(beta, z[first - below], d[first - below]) : 0;
    }
#pragma unroll 1
    for (int n = 0; n <= DIRECTION_AHEAD; ++n)
        pairs_fetch(a, c, z, d, other, c.z0 + n, sweep_shared + l.first + n * l.slot + mine,
                    around_step(b, r, c.z0 + n));
    levels_fill(s, c, 0);
    copy_async_wait<DIRECTION_AHEAD>();
    const real *slot = sweep_shared + l.first + mine;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) v[q].c = a.columns.own[q] ? pair_combined(beta, slot, q) : 0;
    int now = l.first; /* slot of plane k */
    sum_sweep<SUMS, MAXIMA, COLUMNS>(
        bl, m, c, 0,
        [&](int k, double *part) {
            /* read now, because the slot of these values is filled next */
            real own[COLUMNS][ARRAYS > 0 ? ARRAYS : 1];
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) {
#pragma unroll
                for (int n = 0; n < ARRAYS; ++n)
                    own[q][n] =
                        a.columns.own[q]
                            ? sweep_shared[now + mine + besides_place<COLUMNS, ARRAYS>(q, n) * blockDim.x]
                            : 0;
            }
            real *const frame = sweep_shared + l.extra + (k & 1) * l.frame;
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q)
                if (a.columns.own[q]) frame[a.own.place + a.columns.right[q]] = v[q].c;
            if (a.halo.any) frame[a.halo.place] = pair_combined(beta, sweep_shared + now + mine, COLUMNS);
            const int next = k + 1 + DIRECTION_AHEAD, above = slot_above(l, now);
            pairs_fetch(a, c, z, d, other, next, sweep_shared + now + mine, around_step(b, r, next));
            copy_async_wait<DIRECTION_AHEAD>();
            __syncthreads();
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) {
                if (!a.columns.own[q]) continue;
                const real *const place = frame + a.own.place + a.columns.right[q];
                v[q].xl = place[-1];
                v[q].xh = place[1];
                v[q].yl = place[-PITCH];
                v[q].yh = place[PITCH];
                v[q].zh = pair_combined(beta, sweep_shared + above + mine, q);
                point(q, o + a.columns.right[q], levels[k], v[q], own[q], part + q * (SUMS + MAXIMA));
                v[q].zl = v[q].c;
                v[q].c = v[q].zh;
            }
            o += b.sz;
            now = above;
        },
        close);
}

template <int COLUMNS>
__device__ __forceinline__ struct pairs<COLUMNS>
pairs_make(struct box b, struct blocks bl, const struct march &m, const struct tile &c, struct cells cells) {
    const struct around r = around_make(b, cells);
    const struct pairs<COLUMNS> a = {
        columns_of<COLUMNS>(bl, m, c), column_make<1, COLUMNS>(b, r, c, c.i, c.j, c.z0, true),
            column_halo<1, COLUMNS>(b, r, m, c, (int)threadIdx.x, c.z0)
    };
    return a;
}

#endif
