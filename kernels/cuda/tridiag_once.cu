/* Solves tridiagonal systems in one pass over their values, without stored factors.
 *
 * A thread block takes a few neighbouring columns. Each of its threads has one chunk of one column in
 * registers. The system is a row of nodes: neighbours are joined by a conductance g, and each node to the
 * ground by lambda w (docs/numerics/direct.md, "One pass"). Level 0 of a chunk is a separator. Eliminating
 * the inner levels (tridiag_chunk.cuh) leaves a row, or a ring, of separators, which the threads of the block
 * solve together (tridiag_nodes.cuh). The block then goes on to further columns, whose values are copied to
 * shared memory while it is at work. */
#include "../tridiag.h"
#include "check.cuh"
#include "tridiag_nodes.cuh"
#include "queue.cuh"

/* CHUNK: largest number of levels of a chunk. APART: distance between the w and g of two chunks, and between
 * the values that two threads are loading. It is odd, so that these lie in different banks. The places of one
 * thread are at constant distances, so their addresses take no registers. */
enum { CHUNK = 16, APART = CHUNK + 1 };
/* SMALL, LARGE: threads of a block. WIDE, NARROW: its columns, which make rows of 128 or 64 bytes, in single
 * precision half of that: 16 columns were slower. BLOCKS_SMALL: number of small blocks on a multiprocessor;
 * in single precision there are as many large ones. */
enum { SMALL = 256, LARGE = 512, WIDE = 8, NARROW = 4, BLOCKS_SMALL = 2 };
/* Largest number of threads of all blocks together. Each block that fills a large GPU takes a few columns,
 * one after another. */
enum { GRID_THREADS = 1 << 18 };

extern __shared__ __align__(16) double2 once_memory[];

/* once_shared: the shared memory as pairs of T. */
template <class T> static __device__ __forceinline__ pair<T> *once_shared(void)
{
    return (pair<T> *)once_memory;
}

static struct shape shape_of(int n)
{
    struct shape s = {WIDE, 1, 0};
    while ((ptrdiff_t)s.chunks * CHUNK < n) s.chunks *= 2;
    if (s.chunks * WIDE > LARGE) s.columns = NARROW;
    s.threads = s.columns * s.chunks;
    return s;
}

/* Size of the shared memory: values that are being loaded, w and g by chunk, and what nodes show. */
template <class T> static size_t shared_bytes(struct shape s)
{
    return sizeof(pair<T>) * (size_t)(APART * (s.threads + s.chunks)) +
           sizeof(T) * (size_t)(SHOWN * s.threads);
}

int tridiag_once_there(int n)
{
    const struct shape s = shape_of(n);
    return s.threads <= LARGE && shared_bytes<double>(s) <= shared_most();
}

/* For column 0: subtracts the mean of a solution, weighted by w; or the sum of a right-hand side, in
 * proportion to w. */
template <bool SOLUTION, class T, bool FULL>
__device__ __forceinline__ void take_mean(const place<T> &t, struct chunk<T, CHUNK, FULL> &c)
{
    T width = 0, x = 0, y = 0;
#pragma unroll
    for (int l = 0; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const T w = c.metric[l].x, weight = SOLUTION ? w : 1;
        width += w;
        x += weight * c.r[l].x;
        y += weight * c.r[l].y;
    }
    width = column_sum(t, width);
    x = column_sum(t, x) / width;
    y = column_sum(t, y) / width;
    if (t.column != 0) return;
#pragma unroll
    for (int l = 0; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const T weight = SOLUTION ? 1 : c.metric[l].x;
        c.r[l].x -= weight * x;
        c.r[l].y -= weight * y;
    }
}

/* Solves for the separators, then for the levels between them. */
template <class T, bool FULL>
__device__ __forceinline__ void finish(const place<T> &t, struct chunk<T, CHUNK, FULL> &c, const node<T> &own)
{
    const pair<T> z = reduce(t, own);
    show(t, 0, z.x);
    show(t, 1, z.y);
    __syncthreads();
    const T *const next = shown_by(t, neighbour(t, 1));
    const pair<T> above = pair_of(next[0], next[1]);
    __syncthreads();
    unfold(c, z, above);
}

/* work: the work of a thread. It begins at level `start`, and takes one column after another, `stride` apart,
 * of the `level` columns there are. waiting: values that are being loaded, level after level. */
template <class T> struct work {
    unsigned level, stride;
    int start;
    pair<T> *values, *waiting;
};

template <class T> __device__ __forceinline__ pair<T> *values_of(const work<T> &w, unsigned n)
{
    return w.values + (ptrdiff_t)w.start * w.level + n;
}

/* Columns beyond the last one are copies of it and are not stored. */
template <class T, bool FULL>
__device__ __forceinline__ void fetch(const work<T> &w, const struct chunk<T, CHUNK, FULL> &c, unsigned n)
{
    const pair<T> *v = values_of(w, n < w.level ? n : w.level - 1);
#pragma unroll
    for (int l = 0; l < CHUNK; ++l, v += w.level)
        if (c.has(l)) copy_async<sizeof(pair<T>)>(w.waiting + l, v);
    copy_async_commit();
}

template <class T>
__device__ __forceinline__ T lambda_of(const struct tridiag &t, const work<T> &w, unsigned n)
{
    const unsigned column = n < w.level ? n : w.level - 1, nb = column / (unsigned)t.na;
    return (T)(t.la[column - nb * (unsigned)t.na] + t.lb[nb]);
}

template <class T, bool FULL>
__device__ __forceinline__ void fill_metric(const struct tridiag &t, const place<T> &here, int start,
                                            struct chunk<T, CHUNK, FULL> &c)
{
    pair<T> *const metric = once_shared<T>() + APART * (here.threads + here.chunk);
    c.metric = metric;
    for (int l = here.column; l <= c.count(); l += here.columns)
        metric[l] = pair_of(l < c.count() ? (T)t.w[start + l] : T(0), (T)t.g[start + l]);
}

template <class T, int THREADS, int BLOCKS, bool FULL>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    once_kernel(const __grid_constant__ struct tridiag t, const __grid_constant__ struct shape s, T scale,
                pair<T> *values)
{
    const place<T> here = place_of(s, (T *)(once_shared<T>() + APART * (s.threads + s.chunks)));
    work<T> w = {(unsigned)t.na * (unsigned)t.nb, gridDim.x * (unsigned)s.columns, 0, values,
                 once_shared<T>() + APART * (int)threadIdx.x};
    struct chunk<T, CHUNK, FULL> c;
    w.start = (int)((long long)t.n * here.chunk / s.chunks);
    c.levels = (int)((long long)t.n * (here.chunk + 1) / s.chunks) - w.start;
    unsigned first = blockIdx.x * (unsigned)s.columns;
    fetch(w, c, first + (unsigned)here.column);
    fill_metric(t, here, w.start, c);
    T lambda = lambda_of(t, w, first + (unsigned)here.column);
    __syncthreads();
    for (; first < w.level; first += w.stride) {
        const unsigned n = first + (unsigned)here.column;
        const bool singular = t.zero && first == 0;
        node<T> own;
        const T ground = factor(c, lambda, own);
        copy_async_wait<0>();
#pragma unroll
        for (int l = 0; l < CHUNK; ++l) {
            if (!c.has(l)) continue;
            const pair<T> v = w.waiting[l];
            c.r[l] = pair_of(scale * v.x, scale * v.y);
        }
        if (singular) take_mean<false>(here, c);
        if (singular && n == 0 && here.chunk == 0) own.ground += c.metric[1].y;
        const pair<T> r = fold(c, own);
        if (first + w.stride < w.level) { /* the loaded values have been used */
            fetch(w, c, n + w.stride);
            lambda = lambda_of(t, w, n + w.stride);
        }
        meet(here, ground, r, own);
        finish(here, c, own);
        if (singular) take_mean<true>(here, c);
        if (n >= w.level) continue;
        pair<T> *v = values_of(w, n);
#pragma unroll
        for (int l = 0; l < CHUNK; ++l, v += w.level)
            if (c.has(l)) __stcs(v, c.r[l]); /* nobody reads them before the cache has let them go */
    }
}

template <class T, bool FULL>
static kol_status launch(const struct tridiag &t, const struct shape &s, double scale, T *values)
{
    const ptrdiff_t tiles = ((ptrdiff_t)t.na * t.nb + s.columns - 1) / s.columns,
                    most = GRID_THREADS / s.threads;
    const unsigned blocks = (unsigned)(tiles < most ? tiles : most);
    constexpr int large = sizeof(T) == sizeof(double) ? 1 : BLOCKS_SMALL;
    const auto kernel =
        s.threads <= SMALL ? once_kernel<T, SMALL, BLOCKS_SMALL, FULL> : once_kernel<T, LARGE, large, FULL>;
    CUDA_TRY(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<T>(s)));
    kernel<<<blocks, (unsigned)s.threads, shared_bytes<T>(s), queue_stream()>>>(t, s, (T)scale,
                                                                                (pair<T> *)values);
    CUDA_LAUNCHED("tridiag_solve_once");
    return KOL_OK;
}

template <class T> static kol_status solve(const struct tridiag &t, double scale, T *values)
{
    const struct shape s = shape_of(t.n);
    if (t.parts != 2 || s.threads > LARGE)
        RAISE(KOL_ERR_INTERNAL, "columns of %d levels, %d parts in one pass", t.n, t.parts);
    if (t.na <= 0 || t.nb <= 0) return KOL_OK;
    return t.n == CHUNK * s.chunks ? launch<T, true>(t, s, scale, values)
                                   : launch<T, false>(t, s, scale, values);
}

kol_status tridiag_solve_once(struct tridiag t, double scale, double *values)
{
    return solve(t, scale, values);
}

kol_status tridiag_solve_once_single(struct tridiag t, double scale, float *values)
{
    return solve(t, scale, values);
}
