/* Plane sweeps of the CUDA kernels that sum. docs/numerics/sweep.md.
 *
 * A thread block goes up through its tile (reduce.cuh). Planes wait in slots of shared memory. A slot holds
 * one plane of every input. Asynchronous copies fill it SWEEP_AHEAD planes before its use, so that loads run
 * whatever the threads do. A plane is stored as a frame: the tile with halo layers round it, each value
 * copied once. */
#ifndef KOL_CUDA_SWEEP_CUH
#define KOL_CUDA_SWEEP_CUH

#include "../point/laplace.h"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"
#include "reduce.cuh"

/* While plane k is computed, plane k + 1 has arrived, and the SWEEP_AHEAD planes above it are being copied.
 * Each takes 16 to 24 bytes a thread, which makes about 50 KB a multiprocessor. A memory of 4 TB/s with a
 * latency of 0.8 us needs that much. */
enum { SWEEP_AHEAD = 4, SWEEP_SLOTS = SWEEP_AHEAD + 2 };
/* Threads of the largest thread block, and the number of such blocks on a multiprocessor. */
enum { SWEEP_THREADS = PIECES_MOST * PIECE_THREADS, SWEEP_BLOCKS = 2 };
/* Bytes of shared memory that a kernel may have without a request, less its fixed arrays. */
enum { SWEEP_FREE_SHARED = 40 * 1024 };

/* sweep_launch: kernel<<<grid, threads, values * sizeof(real)>>>(given...) in the queue in use. It does
 * nothing if the grid is empty. */
template <class... Wanted, class... Given>
static inline kol_status sweep_launch(const char *name, void (*kernel)(Wanted...), dim3 grid, int threads,
                                      int values, Given... given)
{
    const int bytes = values * (int)sizeof(real);
    if (grid.z == 0) return KOL_OK;
    if (bytes > SWEEP_FREE_SHARED)
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<grid, (unsigned)threads, (size_t)bytes, queue_stream()>>>(given...);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

/* sweep_copy: copies one value to shared memory, asynchronously, in the group that copy_async_commit closes.
 */
__device__ __forceinline__ void sweep_copy(real *to, const real *from)
{
    copy_async<sizeof(real)>(to, from);
}

/* sweep_wait: waits until this thread's copies for the next plane have arrived, which are all but the last
 * SWEEP_AHEAD - 1 groups. */
__device__ __forceinline__ void sweep_wait(void)
{
    copy_async_wait<SWEEP_AHEAD - 1>();
}

/* level: the part of the stencil that belongs to a plane, aligned for one load. Levels lie at the start of
 * shared memory, from `lead` planes below the tile to as many above it. */
struct __align__(4 * sizeof(real) < 16 ? 4 * sizeof(real) : 16) level
{
    struct lap_height height;
};
enum { LEVEL_VALUES = sizeof(struct level) / sizeof(real) };

HD int levels_values(struct blocks bl, const struct march &m, int lead)
{
    return (m.layers * bl.widest[Z] + 2 * lead) * LEVEL_VALUES;
}

extern __shared__ __align__(16) real sweep_shared[];

/* levels_fill: fills the levels; a barrier must follow. levels_of: returns a pointer at which the level of
 * plane k is at [k]. levels_alike: returns whether all levels are the same, as for evenly spaced planes. It
 * has a barrier, and all threads get the same value. */
__device__ __forceinline__ void levels_fill(struct stencil s, const struct tile &c, int lead)
{
    struct level *const levels = (struct level *)sweep_shared;
    for (int n = (int)threadIdx.x; n < c.z1 - c.z0 + 2 * lead; n += (int)blockDim.x) {
        const int k = c.z0 - lead + n;
        const struct level l = {{s.wz[k], 1 / s.wz[k], s.gz[k], s.gz[k + 1]}};
        levels[n] = l;
    }
}

__device__ __forceinline__ bool levels_alike(struct stencil s, const struct tile &c, int lead)
{
    const int first = c.z0 - lead;
    bool alike = true;
    for (int k = first + (int)threadIdx.x; k < c.z1 + lead; k += (int)blockDim.x)
        alike = alike && s.wz[k] == s.wz[first] && s.gz[k] == s.gz[first] && s.gz[k + 1] == s.gz[first + 1];
    return __syncthreads_and(alike) != 0;
}

__device__ __forceinline__ const struct level *levels_of(const struct tile &c, int lead)
{
    return (const struct level *)sweep_shared + (lead - c.z0);
}

/* A frame is a plane of a tile, COLUMNS pieces wide, with HALO layers round it. Its pitch is the same for all
 * tiles and odd, so that columns lie in different banks. frame_values: size of a frame. frame_place: place of
 * column (i, j) in it. */
template <int HALO, int COLUMNS = 1> constexpr int FRAME_PITCH = (COLUMNS * PIECE_WIDE + 2 * HALO) | 1;

template <int HALO, int COLUMNS = 1> HD int frame_values(const struct march &m)
{
    return FRAME_PITCH<HALO, COLUMNS> * (m.side * m.p.rows + 2 * HALO);
}

template <int HALO, int COLUMNS> HD int frame_place(const struct tile &c, int i, int j)
{
    return (j - c.y0 + HALO) * FRAME_PITCH<HALO, COLUMNS> + (i - c.x0 + HALO);
}

/* halo_cell: returns cell n of the cells round a tile. These are HALO layers beyond each side; with two
 * layers, also the corners of the first one. halo_cells: their number. Cells beyond a small tile do not
 * exist. */
template <int HALO> HD int halo_cells(const struct march &m)
{
    return 2 * HALO * ((1 << m.shift) + m.side * m.p.rows) + (HALO == 2 ? 4 : 0);
}

template <int HALO>
__device__ __forceinline__ bool halo_cell(const struct march &m, const struct tile &c, int n, int *i, int *j)
{
    const int rows = m.side * m.p.rows;
    if (n < 0 || c.x0 >= c.x1 || c.y0 >= c.y1) return false;
    if (n >> m.shift < 2 * HALO) {
        const int layer = n >> m.shift;
        *i = c.x0 + (n & ((1 << m.shift) - 1));
        *j = layer < HALO ? c.y0 - HALO + layer : c.y1 - HALO + layer;
        return *i < c.x1;
    }
    n -= 2 * HALO << m.shift;
    if (n < 2 * HALO * rows) {
        const int layer = n % (2 * HALO);
        *j = c.y0 + n / (2 * HALO);
        *i = layer < HALO ? c.x0 - HALO + layer : c.x1 - HALO + layer;
        return *j < c.y1;
    }
    n -= 2 * HALO * rows;
    *i = n % 2 == 0 ? c.x0 - 1 : c.x1;
    *j = n / 2 == 0 ? c.y0 - 1 : c.y1;
    return HALO == 2 && n < 4;
}

/* column: a column that a thread copies. o: index in the fields of its value on the next plane to copy.
 * place: its place in a frame. */
struct column {
    ptrdiff_t o;
    int place;
    bool any;
};

/* around: in each direction the number of cells, if neighbours beyond the box are read on the opposite side
 * (cells.around); otherwise 0. around_of: returns the own cell that stands for a cell beyond the box. */
struct around {
    int x, y, z;
};

__device__ __forceinline__ struct around around_make(struct box b, struct cells cells)
{
    const struct around a = {cells.around & 1u << FACE_X_LOW ? b.nx : 0,
                             cells.around & 1u << FACE_Y_LOW ? b.ny : 0,
                             cells.around & 1u << FACE_Z_LOW ? b.nz : 0};
    return a;
}

__device__ __forceinline__ int around_of(int i, int n, int around)
{
    return i < 0 ? i + around : i >= n ? i - around : i;
}

/* around_step: returns the distance in memory from plane k to the next. */
__device__ __forceinline__ ptrdiff_t around_step(struct box b, struct around a, int k)
{
    return k + 1 == b.nz || k + 1 == 0 ? b.sz - a.z * b.sz : b.sz;
}

template <int HALO, int COLUMNS = 1>
__device__ __forceinline__ struct column column_make(struct box b, struct around r, const struct tile &c,
                                                     int i, int j, int k, bool any)
{
    struct column a;
    a.o = any ? at(b, around_of(i, b.nx, r.x), around_of(j, b.ny, r.y), around_of(k, b.nz, r.z)) : 0;
    a.place = any ? frame_place<HALO, COLUMNS>(c, i, j)
                  : FRAME_PITCH<HALO, COLUMNS>; /* one that has neighbours too */
    a.any = any;
    return a;
}

template <int HALO, int COLUMNS = 1>
__device__ __forceinline__ struct column column_halo(struct box b, struct around r, const struct march &m,
                                                     const struct tile &c, int n, int k)
{
    int i = 0, j = 0;
    const bool any = halo_cell<HALO>(m, c, n, &i, &j);
    return column_make<HALO, COLUMNS>(b, r, c, i, j, k, any);
}

/* layout: the places in shared memory of a sweep, in values. First come the levels; at `extra`, what a kernel
 * needs besides; from `first` to `end` the slots, each `slot` long. A frame is `frame` long. The host
 * computes the layout, so that it takes no registers. */
struct layout {
    int frame, slot, extra, first, end;
};

static inline struct layout layout_make(int levels, int extra, int frame, int slot, int slots)
{
    struct layout l;
    l.frame = frame;
    l.slot = slot;
    l.extra = levels;
    l.first = levels + extra;
    l.end = l.first + slots * l.slot;
    return l;
}

/* slot_above: returns the slot of the plane above the one at `now`. slot_free: returns the slot to which
 * the next plane is copied. */
__device__ __forceinline__ int slot_above(const struct layout &l, int now)
{
    return now + l.slot < l.end ? now + l.slot : l.first;
}

__device__ __forceinline__ int slot_free(const struct layout &l, int now)
{
    return (now > l.first ? now : l.end) - l.slot;
}

/* star: a value and its six neighbours. */
struct star {
    real c, xl, xh, yl, yh, zl, zh;
};

__device__ __forceinline__ real star_apply(struct lap_pillar c, struct level l, real shift, struct star v)
{
    return point_pillar_apply(c, l.height, shift, v.c, v.xl, v.xh, v.yl, v.yh, v.zl, v.zh);
}

/* open_ahead: the bits of the faces of a thread's cells in a box with bodies. They are requested two planes
 * before they are used; the halo above the box has such planes, too. start: o is the place of column 0 on the
 * first plane. take: returns the bits of column q at place o, plane after plane. star_close: replaces the
 * values beyond closed faces by the own one. Without MASKED nothing is read. */
template <bool MASKED, int COLUMNS = 1> struct open_ahead {
    const unsigned char *open;
    ptrdiff_t step;
    unsigned next[COLUMNS], after[COLUMNS];
    __device__ __forceinline__ void start(const unsigned char *bits, ptrdiff_t sz, ptrdiff_t o,
                                          const struct columns<COLUMNS> &c)
    {
        open = bits;
        step = sz;
#pragma unroll
        for (int q = 0; q < COLUMNS; ++q) {
            next[q] = c.own[q] ? open[o + c.right[q]] : 0;
            after[q] = c.own[q] ? open[o + c.right[q] + step] : 0;
        }
    }
    __device__ __forceinline__ unsigned take(int q, ptrdiff_t o)
    {
        const unsigned now = next[q];
        next[q] = after[q];
        after[q] = open[o + 2 * step];
        return now;
    }
};
template <int COLUMNS> struct open_ahead<false, COLUMNS> {
    __device__ __forceinline__ void start(const unsigned char *, ptrdiff_t, ptrdiff_t,
                                          const struct columns<COLUMNS> &)
    {
    }
    __device__ __forceinline__ unsigned take(int, ptrdiff_t)
    {
        return 0;
    }
};

template <bool MASKED> __device__ __forceinline__ struct star star_close(struct star v, unsigned open)
{
    if constexpr (MASKED) {
        v.xl = point_open(open, FACE_X_LOW, v.xl, v.c);
        v.xh = point_open(open, FACE_X_HIGH, v.xh, v.c);
        v.yl = point_open(open, FACE_Y_LOW, v.yl, v.c);
        v.yh = point_open(open, FACE_Y_HIGH, v.yh, v.c);
        v.zl = point_open(open, FACE_Z_LOW, v.zl, v.c);
        v.zh = point_open(open, FACE_Z_HIGH, v.zh, v.c);
    }
    return v;
}

/* sweep_pillar: returns the stencil of the thread's own column. A thread without a column gets that of some
 * cell. */
__device__ __forceinline__ struct lap_pillar sweep_pillar(struct stencil s, bool any, int i, int j)
{
    return point_lap_pillar(s, any ? i : 0, any ? j : 0);
}

/* star_layout: returns the layout of sweep_star with that many arrays. */
template <int COLUMNS = 1>
static inline struct layout star_layout(struct blocks bl, const struct march &m, int arrays)
{
    const int frame = frame_values<1, COLUMNS>(m);
    return layout_make(levels_values(bl, m, 0), 0, frame, arrays * frame, SWEEP_SLOTS);
}

/* star_fetch: copies this thread's part of plane k, which is the next one. These are the own values of all
 * arrays; of the first array also the halo, and the plane above the tile. own: the thread's first column. */
template <int ARRAYS, int COLUMNS>
__device__ __forceinline__ void star_fetch(const struct layout &l, const struct tile &c,
                                           const struct columns<COLUMNS> &columns,
                                           const real *const (&array)[ARRAYS], struct column *own,
                                           struct column *halo, int k, int slot, ptrdiff_t step)
{
    real *const to = sweep_shared + slot;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        if (!columns.own[q]) continue;
        const int right = columns.right[q];
#pragma unroll
        for (int n = 0; n < ARRAYS; ++n) {
            if (k < c.z1 || (n == 0 && k == c.z1))
                sweep_copy(to + n * l.frame + own->place + right, array[n] + own->o + right);
        }
    }
    if (halo->any && k < c.z1) sweep_copy(to + halo->place, array[0] + halo->o);
    copy_async_commit();
    own->o += step;
    halo->o += step;
}

/* sweep_star: calls point(n, o, level, star, own, part) for every own cell of the tile.
 *
 *   n      which of the thread's columns the cell lies in
 *   o      its index in the fields
 *   star   the values of array[0] at it and round it
 *   own    the values of array[1 ..] at it
 *   part   as in sum_sweep, of that column
 *
 * point may write to arrays of which only own values are read. close is as in sum_sweep. */
template <int SUMS, int MAXIMA, int COLUMNS, int ARRAYS, class Point, class Close>
__device__ __forceinline__ void sweep_star(struct box b, struct stencil s, struct blocks bl,
                                           const struct march &m, const struct layout &l, struct cells cells,
                                           const struct tile &c, const struct columns<COLUMNS> &columns,
                                           const real *const (&array)[ARRAYS], Point point, Close close)
{
    enum { PITCH = FRAME_PITCH<1, COLUMNS> };
    const struct around r = around_make(b, cells);
    struct column own = column_make<1, COLUMNS>(b, r, c, c.i, c.j, c.z0, true);
    struct column halo = column_halo<1, COLUMNS>(b, r, m, c, (int)threadIdx.x, c.z0);
    const struct level *const levels = levels_of(c, 0);
    ptrdiff_t o = own.o;
    int now = l.first;
    struct star v[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        const real *const first = array[0] + o + columns.right[q];
        v[q].zl = columns.own[q] ? *(first - around_step(b, r, c.z0 - 1)) : 0;
        v[q].c = columns.own[q] ? *first : 0;
    }
#pragma unroll 1
    for (int n = 0; n <= SWEEP_AHEAD; ++n)
        star_fetch(l, c, columns, array, &own, &halo, c.z0 + n, l.first + n * l.slot,
                   around_step(b, r, c.z0 + n));
    levels_fill(s, c, 0);
    sum_sweep<SUMS, MAXIMA, COLUMNS>(
        bl, m, c, 0,
        [&](int k, double *part) {
            sweep_wait();
            __syncthreads();
            const int next = k + 1 + SWEEP_AHEAD;
            star_fetch(l, c, columns, array, &own, &halo, next, slot_free(l, now), around_step(b, r, next));
            const int above = slot_above(l, now);
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) {
                if (!columns.own[q]) continue;
                const real *const place = sweep_shared + now + own.place + columns.right[q];
                real values[ARRAYS];
#pragma unroll
                for (int n = 1; n < ARRAYS; ++n) values[n - 1] = place[n * l.frame];
                v[q].xl = place[-1];
                v[q].xh = place[1];
                v[q].yl = place[-PITCH];
                v[q].yh = place[PITCH];
                v[q].zh = sweep_shared[above + own.place + columns.right[q]];
                point(q, o + columns.right[q], levels[k], v[q], values, part + q * (SUMS + MAXIMA));
                v[q].zl = v[q].c;
                v[q].c = v[q].zh;
            }
            o += b.sz;
            now = above;
        },
        close);
}

#endif
