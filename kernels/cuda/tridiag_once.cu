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
/* SMALL, LARGE: threads of a block. WIDE, NARROW: its columns, which make rows of 128 or 64 bytes.
 * BLOCKS_SMALL: number of small blocks on a multiprocessor. */
enum { SMALL = 256, LARGE = 512, WIDE = 8, NARROW = 4, BLOCKS_SMALL = 2 };
/* Largest number of threads of all blocks together. Each block that fills a large GPU takes a few columns,
 * one after another. */
enum { GRID_THREADS = 1 << 18 };

extern __shared__ __align__(16) double2 once_shared[];

static struct shape shape_of(int n)
{
    struct shape s = {WIDE, 1, 0};
    while ((ptrdiff_t)s.chunks * CHUNK < n) s.chunks *= 2;
    if (s.chunks * WIDE > LARGE) s.columns = NARROW;
    s.threads = s.columns * s.chunks;
    return s;
}

/* Size of the shared memory: values that are being loaded, w and g by chunk, and what nodes show. */
static size_t shared_bytes(struct shape s)
{
    return sizeof(double2) * (size_t)(APART * (s.threads + s.chunks)) +
           sizeof(double) * (size_t)(SHOWN * s.threads);
}

int tridiag_once_there(int n)
{
    const struct shape s = shape_of(n);
    return s.threads <= LARGE && shared_bytes(s) <= shared_most();
}

/* For column 0: subtracts the mean of a solution, weighted by w; or the sum of a right-hand side, in
 * proportion to w. */
template <bool SOLUTION, bool FULL>
__device__ __forceinline__ void take_mean(const struct place &t, struct chunk<CHUNK, FULL> &c)
{
    double width = 0, x = 0, y = 0;
#pragma unroll
    for (int l = 0; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const double w = c.metric[l].x, weight = SOLUTION ? w : 1;
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
        const double weight = SOLUTION ? 1 : c.metric[l].x;
        c.r[l].x -= weight * x;
        c.r[l].y -= weight * y;
    }
}

/* Solves for the separators, then for the levels between them. */
template <bool FULL>
__device__ __forceinline__ void finish(const struct place &t, struct chunk<CHUNK, FULL> &c,
                                       const struct node &own)
{
    const double2 z = reduce(t, own);
    show(t, 0, z.x);
    show(t, 1, z.y);
    __syncthreads();
    const double *const next = shown_by(t, neighbour(t, 1));
    const double2 above = make_double2(next[0], next[1]);
    __syncthreads();
    unfold(c, z, above);
}

/* work: the work of a thread. It begins at level `start`, and takes one column after another, `stride` apart,
 * of the `level` columns there are. waiting: values that are being loaded, level after level. */
struct work {
    unsigned level, stride;
    int start;
    double2 *values, *waiting;
};

__device__ __forceinline__ double2 *values_of(const struct work &w, unsigned n)
{
    return w.values + (ptrdiff_t)w.start * w.level + n;
}

/* Columns beyond the last one are copies of it and are not stored. */
template <bool FULL>
__device__ __forceinline__ void fetch(const struct work &w, const struct chunk<CHUNK, FULL> &c, unsigned n)
{
    const double2 *v = values_of(w, n < w.level ? n : w.level - 1);
#pragma unroll
    for (int l = 0; l < CHUNK; ++l, v += w.level)
        if (c.has(l)) copy_async<sizeof(double2)>(w.waiting + l, v);
    copy_async_commit();
}

__device__ __forceinline__ double lambda_of(const struct tridiag &t, const struct work &w, unsigned n)
{
    const unsigned column = n < w.level ? n : w.level - 1, nb = column / (unsigned)t.na;
    return t.la[column - nb * (unsigned)t.na] + t.lb[nb];
}

template <bool FULL>
__device__ __forceinline__ void fill_metric(const struct tridiag &t, const struct place &here, int start,
                                            struct chunk<CHUNK, FULL> &c)
{
    double2 *const metric = once_shared + APART * (here.threads + here.chunk);
    c.metric = metric;
    for (int l = here.column; l <= c.count(); l += here.columns)
        metric[l] = make_double2(l < c.count() ? t.w[start + l] : 0, t.g[start + l]);
}

template <int THREADS, int BLOCKS, bool FULL>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    once_kernel(const __grid_constant__ struct tridiag t, const __grid_constant__ struct shape s,
                double scale, double2 *values)
{
    const struct place here = place_of(s, (double *)(once_shared + APART * (s.threads + s.chunks)));
    struct work w = {(unsigned)t.na * (unsigned)t.nb, gridDim.x * (unsigned)s.columns, 0, values,
                     once_shared + APART * (int)threadIdx.x};
    struct chunk<CHUNK, FULL> c;
    w.start = (int)((long long)t.n * here.chunk / s.chunks);
    c.levels = (int)((long long)t.n * (here.chunk + 1) / s.chunks) - w.start;
    unsigned first = blockIdx.x * (unsigned)s.columns;
    fetch(w, c, first + (unsigned)here.column);
    fill_metric(t, here, w.start, c);
    double lambda = lambda_of(t, w, first + (unsigned)here.column);
    __syncthreads();
    for (; first < w.level; first += w.stride) {
        const unsigned n = first + (unsigned)here.column;
        const bool singular = t.zero && first == 0;
        struct node own;
        const double ground = factor(c, lambda, own);
        copy_async_wait<0>();
#pragma unroll
        for (int l = 0; l < CHUNK; ++l) {
            if (!c.has(l)) continue;
            const double2 v = w.waiting[l];
            c.r[l] = make_double2(scale * v.x, scale * v.y);
        }
        if (singular) take_mean<false>(here, c);
        if (singular && n == 0 && here.chunk == 0) own.ground += c.metric[1].y;
        const double2 r = fold(c, own);
        if (first + w.stride < w.level) { /* the loaded values have been used */
            fetch(w, c, n + w.stride);
            lambda = lambda_of(t, w, n + w.stride);
        }
        meet(here, ground, r, own);
        finish(here, c, own);
        if (singular) take_mean<true>(here, c);
        if (n >= w.level) continue;
        double2 *v = values_of(w, n);
#pragma unroll
        for (int l = 0; l < CHUNK; ++l, v += w.level)
            if (c.has(l)) __stcs(v, c.r[l]); /* nobody reads them before the cache has let them go */
    }
}

template <bool FULL>
static kol_status launch(const struct tridiag &t, const struct shape &s, double scale, double *values)
{
    const ptrdiff_t tiles = ((ptrdiff_t)t.na * t.nb + s.columns - 1) / s.columns,
                    most = GRID_THREADS / s.threads;
    const unsigned blocks = (unsigned)(tiles < most ? tiles : most);
    const auto kernel =
        s.threads <= SMALL ? once_kernel<SMALL, BLOCKS_SMALL, FULL> : once_kernel<LARGE, 1, FULL>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes(s)));
    kernel<<<blocks, (unsigned)s.threads, shared_bytes(s), queue_stream()>>>(t, s, scale, (double2 *)values);
    CUDA_LAUNCHED("tridiag_solve_once");
    return KOL_OK;
}

kol_status tridiag_solve_once(struct tridiag t, double scale, double *values)
{
    const struct shape s = shape_of(t.n);
    if (t.parts != 2 || s.threads > LARGE)
        RAISE(KOL_ERR_INTERNAL, "columns of %d levels, %d parts in one pass", t.n, t.parts);
    if (t.na <= 0 || t.nb <= 0) return KOL_OK;
    return t.n == CHUNK * s.chunks ? launch<true>(t, s, scale, values) : launch<false>(t, s, scale, values);
}
