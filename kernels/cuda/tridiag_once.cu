#include "../point/tridiag.h"
#include "../tridiag.h"
#include "check.cuh"
#include "hardware.cuh"
#include "queue.cuh"

#include <stdint.h>

/* Tridiagonal systems in one pass over their values, without stored factors. A thread block takes a few columns that lie side by side,
 * a thread one chunk of one column in registers. The system is a row of nodes, of which neighbours are joined by a conductance g and
 * each to the ground by lambda w; docs/numerics/direct.md, "One pass". Level 0 of a chunk is a separator. Eliminating the inner
 * levels leaves a row, or ring, of separators, which parallel cyclic reduction solves: log2(chunks) steps, in each of which every
 * node eliminates its two neighbours. Only sums and products of what is not negative, so no digits are lost.
 * A block goes on to further columns, whose values are copied to shared memory while it is at work. */

/* Levels of a chunk at the most; from one chunk's w and g, and from one thread's values on their way, to the next one's: odd, so that
 * they lie in different banks; values that a node shows the others: odd for the same reason. A thread's places are constants apart, so
 * that their addresses take no registers. */
enum { CHUNK = 16, APART = CHUNK + 1, SHOWN = 5 };
/* Threads, and the columns of a block: rows of 128 or 64 bytes. Of small blocks a multiprocessor holds BLOCKS_SMALL. */
enum { SMALL = 256, LARGE = 512, WIDE = 8, NARROW = 4, BLOCKS_SMALL = 2 };
/* Threads of all blocks together at the most: each of those that fill a large GPU takes a few columns, one after another. */
enum { GRID_THREADS = 1 << 18 };

extern __shared__ __align__(16) double2 once_shared[];

/* shape: of a thread block. */
struct shape {
    int columns, chunks, threads;
};

static struct shape shape_of(int n)
{
    struct shape s = {WIDE, 1, 0};
    while ((ptrdiff_t)s.chunks * CHUNK < n) s.chunks *= 2;
    if (s.chunks * WIDE > LARGE) s.columns = NARROW;
    s.threads = s.columns * s.chunks;
    return s;
}

/* In shared memory: values on their way, w and g by chunk, what nodes show. */
static size_t shared_bytes(struct shape s)
{
    return sizeof(double2) * (size_t)(APART * (s.threads + s.chunks)) +
           sizeof(double) * (size_t)(SHOWN * s.threads);
}

/* Bytes of shared memory that a thread block of the GPU in use may have; where there is none, as --check may find, those of the largest. */
static size_t shared_most(void)
{
    struct cudaDeviceProp gpu;
    int id = 0;
    if (cudaGetDevice(&id) == cudaSuccess && cudaGetDeviceProperties(&gpu, id) == cudaSuccess)
        return gpu.sharedMemPerBlockOptin;
    (void)cudaGetLastError();
    return SIZE_MAX;
}

int tridiag_once_there(int n)
{
    const struct shape s = shape_of(n);
    return s.threads <= LARGE && shared_bytes(s) <= shared_most();
}

/* chunk: of one thread. metric: w and g of its levels; g at [count] belongs to the separator above. inverse: of the pivots of inner
 * levels. FULL: all chunks have CHUNK levels. */
template <bool FULL> struct chunk {
    int levels;
    const double2 *metric;
    double2 r[CHUNK];
    double inverse[CHUNK];
    __device__ __forceinline__ bool has(int l) const
    {
        return FULL || l < levels;
    }
    __device__ __forceinline__ int count(void) const
    {
        return FULL ? CHUNK : levels;
    }
};

/* node: a separator with its conductances to the one below and the one above, and to the ground. */
struct node {
    double low, high, ground;
    double2 r;
};

/* place: of this thread in its block. waiting: its values on their way, level after level; shown: what nodes tell each other,
 * thread after thread. */
struct place {
    int column, chunk, columns, chunks, threads;
    double2 *waiting;
    double *shown;
};

__device__ __forceinline__ struct place place_of(const struct shape &s)
{
    const int own = (int)threadIdx.x;
    struct place t = {own % s.columns, own / s.columns,           s.columns, s.chunks,
                      s.threads,       once_shared + APART * own, NULL};
    t.shown = (double *)(once_shared + APART * (s.threads + s.chunks));
    return t;
}

__device__ __forceinline__ void show(const struct place &t, int value, double v)
{
    t.shown[SHOWN * (int)threadIdx.x + value] = v;
}

/* What node n shows. */
__device__ __forceinline__ const double *shown_by(const struct place &t, int n)
{
    return t.shown + SHOWN * n;
}

/* The thread with the node `away` chunks on; the ends of a column are neighbours. */
__device__ __forceinline__ int neighbour(const struct place &t, int away)
{
    const int n = (int)threadIdx.x + away * t.columns;
    return n < 0 ? n + t.threads : n >= t.threads ? n - t.threads : n;
}

/* Sum over the chunks of this thread's column, the same for all of them; a barrier before and after. */
__device__ __forceinline__ double column_sum(const struct place &t, double v)
{
    double sum = 0;
    __syncthreads();
    show(t, 0, v);
    __syncthreads();
    for (int c = 0; c < t.chunks; ++c) sum += shown_by(t, c * t.columns + t.column)[0];
    __syncthreads();
    return sum;
}

/* From column 0: the mean of a solution, weighted by w, or the sum of a right-hand side, in proportion to w. */
template <bool SOLUTION, bool FULL>
__device__ __forceinline__ void take_mean(const struct place &t, struct chunk<FULL> &c)
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

/* Pivots of the inner levels, each joined to the separator below by `joined`, and what they leave to the separators: own.high,
 * own.ground; returned: what the one above gets to ground. Reads no values. */
template <bool FULL>
__device__ __forceinline__ double factor(struct chunk<FULL> &c, double lambda, struct node &own)
{
    double2 m = c.metric[1];
    double joined = m.y, rest = 0;
    own.ground = lambda * c.metric[0].x;
#pragma unroll
    for (int l = 1; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const double ground = fma(lambda, m.x, rest);
        m = c.metric[l + 1];
        const double inverse = reciprocal(joined + (m.y + ground)), part = m.y * inverse;
        c.inverse[l] = inverse;
        own.ground += joined * (inverse * ground);
        rest = part * ground;
        joined *= part;
    }
    own.high = joined;
    return rest;
}

/* What the inner right-hand sides leave to the separators: own.r; returned: what the one above gets. */
template <bool FULL> __device__ __forceinline__ double2 fold(const struct chunk<FULL> &c, struct node &own)
{
    double2 v = make_double2(0, 0);
    double joined = 1;
    own.r = c.r[0];
#pragma unroll
    for (int l = 1; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l].y;
        joined *= l == 1 ? g : g * c.inverse[l - 1];
        v.x = point_tridiag_up(c.r[l].x, g, v.x, c.inverse[l]);
        v.y = point_tridiag_up(c.r[l].y, g, v.y, c.inverse[l]);
        own.r.x += joined * v.x;
        own.r.y += joined * v.y;
    }
    const double g = c.metric[c.count()].y;
    return make_double2(g * v.x, g * v.y);
}

/* Each separator gets what the inner levels below it left. */
__device__ __forceinline__ void meet(const struct place &t, double ground, double2 r, struct node &own)
{
    const double *const below = shown_by(t, neighbour(t, -1));
    show(t, 0, own.high);
    show(t, 1, ground);
    show(t, 2, r.x);
    show(t, 3, r.y);
    __syncthreads();
    own.low = below[0];
    own.ground += below[1];
    own.r.x += below[2];
    own.r.y += below[3];
    __syncthreads();
}

/* Parallel cyclic reduction: in the end each node is joined to itself and the ground alone. */
__device__ __forceinline__ double2 reduce(const struct place &t, struct node own)
{
    for (int away = 1; away < t.chunks; away *= 2) {
        const double inverse = reciprocal(own.low + own.high + own.ground);
        const double *const below = shown_by(t, neighbour(t, -away));
        const double *const above = shown_by(t, neighbour(t, away));
        show(t, 0, own.low * inverse);
        show(t, 1, own.high * inverse);
        show(t, 2, own.ground * inverse);
        show(t, 3, own.r.x * inverse);
        show(t, 4, own.r.y * inverse);
        __syncthreads();
        own.ground += own.low * below[2] + own.high * above[2];
        own.r.x += own.low * below[3] + own.high * above[3];
        own.r.y += own.low * below[4] + own.high * above[4];
        own.low *= below[0];
        own.high *= above[1];
        __syncthreads();
    }
    const double inverse = reciprocal(own.ground);
    return make_double2(own.r.x * inverse, own.r.y * inverse);
}

/* The inner levels between their separators, whose values are z and `above`. */
template <bool FULL> __device__ __forceinline__ void unfold(struct chunk<FULL> &c, double2 z, double2 above)
{
    c.r[0] = z;
#pragma unroll
    for (int l = 1; l < CHUNK; ++l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l].y;
        z.x = point_tridiag_up(c.r[l].x, g, z.x, c.inverse[l]);
        z.y = point_tridiag_up(c.r[l].y, g, z.y, c.inverse[l]);
        c.r[l] = z;
    }
    __syncwarp();
#pragma unroll
    for (int l = CHUNK - 1; l > 0; --l) {
        if (!c.has(l)) continue;
        const double g = c.metric[l + 1].y;
        above.x = point_tridiag_down(c.r[l].x, g, above.x, c.inverse[l]);
        above.y = point_tridiag_down(c.r[l].y, g, above.y, c.inverse[l]);
        c.r[l] = above;
    }
}

/* The separators, then the levels between them. */
template <bool FULL>
__device__ __forceinline__ void finish(const struct place &t, struct chunk<FULL> &c, const struct node &own)
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

/* work: of a thread: from level `start` on, one column after another, `stride` apart, of the `level` columns there are. */
struct work {
    unsigned level, stride;
    int start;
    double2 *values;
};

__device__ __forceinline__ double2 *values_of(const struct work &w, unsigned n)
{
    return w.values + (ptrdiff_t)w.start * w.level + n;
}

/* Columns beyond the last one are copies of it, and not stored. */
template <bool FULL>
__device__ __forceinline__ void fetch(const struct place &t, const struct work &w,
                                      const struct chunk<FULL> &c, unsigned n)
{
    const double2 *v = values_of(w, n < w.level ? n : w.level - 1);
#pragma unroll
    for (int l = 0; l < CHUNK; ++l, v += w.level)
        if (c.has(l)) copy_async<sizeof(double2)>(t.waiting + l, v);
    copy_async_commit();
}

__device__ __forceinline__ double lambda_of(const struct tridiag &t, const struct work &w, unsigned n)
{
    const unsigned column = n < w.level ? n : w.level - 1, nb = column / (unsigned)t.na;
    return t.la[column - nb * (unsigned)t.na] + t.lb[nb];
}

template <bool FULL>
__device__ __forceinline__ void fill_metric(const struct tridiag &t, const struct place &here, int start,
                                            struct chunk<FULL> &c)
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
    const struct place here = place_of(s);
    struct work w = {(unsigned)t.na * (unsigned)t.nb, gridDim.x * (unsigned)s.columns, 0, values};
    struct chunk<FULL> c;
    w.start = (int)((long long)t.n * here.chunk / s.chunks);
    c.levels = (int)((long long)t.n * (here.chunk + 1) / s.chunks) - w.start;
    unsigned first = blockIdx.x * (unsigned)s.columns;
    fetch(here, w, c, first + (unsigned)here.column);
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
            const double2 v = here.waiting[l];
            c.r[l] = make_double2(scale * v.x, scale * v.y);
        }
        if (singular) take_mean<false>(here, c);
        if (singular && n == 0 && here.chunk == 0) own.ground += c.metric[1].y;
        const double2 r = fold(c, own);
        if (first + w.stride < w.level) { /* the values that waited have been used */
            fetch(here, w, c, n + w.stride);
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
