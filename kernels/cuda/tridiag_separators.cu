/* Solves tridiagonal systems whose levels are cut over several ranks. */
#include "../tridiag_separators.h"
#include "check.cuh"
#include "tridiag_nodes.cuh"
#include "queue.cuh"

/* Threads of a block. To fold and unfold, it has COLUMNS x ROWS threads: COLUMNS columns side by side, and
 * ROWS chunks one above the other. To solve for the separators it has SOLVE threads and WIDE columns, so that
 * rows have 128 bytes, unless there are too many chunks. */
enum { COLUMNS = 32, ROWS = 8, SOLVE = 512, WIDE = 8 };
static_assert((int)SEPARATORS_CHUNKS <= (int)SOLVE, "a block has all chunks of a column");

extern __shared__ double separators_shared[];

/* MOST: the most levels of a chunk. In single precision twice as many take the same registers. */
template <class T>
constexpr int MOST = sizeof(T) == sizeof(double) ? SEPARATORS_LEVELS : SEPARATORS_LEVELS_SINGLE;

template <class T, bool FULL> using levels = struct chunk<T, MOST<T>, FULL>;

/* Columns beyond the last one are copies of it and are not stored. */
static __device__ __forceinline__ int column_of(const struct separators &t, int given)
{
    return given < t.columns ? given : t.columns - 1;
}

template <class T> static __device__ __forceinline__ T lambda_of(const struct separators &t, int column)
{
    const int nb = (t.column + column) / t.na;
    return (T)(t.la[t.column + column - nb * t.na] + t.lb[nb]);
}

static __device__ __forceinline__ void metric_of(const struct separators &t, const double2 *&metric)
{
    metric = (const double2 *)t.metric;
}

static __device__ __forceinline__ void metric_of(const struct separators &t, const float2 *&metric)
{
    metric = (const float2 *)t.metric_single;
}

template <class T, bool FULL>
static __device__ __forceinline__ void chunk_begin(const struct separators &t, int c, levels<T, FULL> &q)
{
    const int start = t.start[c];
    q.levels = t.start[c + 1] - start;
    metric_of(t, q.metric);
    q.metric += start;
}

static __device__ __forceinline__ ptrdiff_t place_of(const struct separators &t, int c, int column)
{
    return (ptrdiff_t)(t.start[t.first + c] - t.start[t.first]) * t.columns + column;
}

template <class T, bool FULL>
static __device__ __forceinline__ void read(const struct separators &t, T scale, const pair<T> *v,
                                            levels<T, FULL> &q)
{
#pragma unroll
    for (int l = 0; l < MOST<T>; ++l, v += t.columns) {
        if (!q.has(l)) continue;
        const pair<T> r = *v;
        q.r[l] = pair_of(scale * r.x, scale * r.y);
    }
}

/* inner_sum: the sum of `inner` times the values of column 0, which are real. */
template <class T, bool FULL>
static __device__ __forceinline__ T inner_sum(const struct separators &t, int c, const levels<T, FULL> &q)
{
    const double *inner = t.inner + t.start[c];
    T sum = 0;
#pragma unroll
    for (int l = 1; l < MOST<T>; ++l)
        if (q.has(l)) sum += (T)inner[l] * q.r[l].x;
    return sum;
}

/* Each thread block goes up through the chunks of its columns, ROWS at a time. The uppermost of these chunks
 * also contributes to the separator above it; this contribution is kept for the next ROWS chunks. The loop is
 * not unrolled, because the compiler might contract products and sums differently in each copy of its body.
 */
template <class T, bool FULL>
static __global__ void __launch_bounds__(COLUMNS *ROWS)
    fold_kernel(const __grid_constant__ struct separators t, T scale, const pair<T> *values, pair<T> *slots)
{
    typedef pair<T> Pair;
    __shared__ Pair above[(ROWS + 1) * COLUMNS];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, given = (int)blockIdx.x * COLUMNS + x;
    const int column = column_of(t, given);
    const T lambda = lambda_of<T>(t, column);
#pragma unroll 1
    for (int first = 0; first < t.own; first += ROWS) {
        const int c = first + y < t.own ? first + y : t.own - 1;
        levels<T, FULL> q;
        node<T> own;
        chunk_begin<T, FULL>(t, t.first + c, q);
        read<T, FULL>(t, scale, values + place_of(t, c, column), q);
        (void)factor(q, lambda, own);
        pair<T> r = fold(q, own);
        if (t.column + column == 0) {
            own.r.y = inner_sum<T, FULL>(t, t.first + c, q);
            r.y = 0;
        }
        if (y == 0 && first > 0) above[x] = above[ROWS * COLUMNS + x];
        __syncthreads();
        above[(y + 1) * COLUMNS + x] = r;
        __syncthreads();
        if (c > 0) {
            own.r.x += above[y * COLUMNS + x].x;
            own.r.y += above[y * COLUMNS + x].y;
        }
        if (given >= t.columns || first + y >= t.own) continue;
        pair<T> *const slot = slots + (ptrdiff_t)c * t.columns + column;
        *slot = own.r;
        if (c == t.own - 1) slot[t.columns] = r;
    }
}

template <class T, bool FULL>
static __global__ void __launch_bounds__(COLUMNS *ROWS)
    unfold_kernel(const __grid_constant__ struct separators t, T scale, const pair<T> *slots, pair<T> *values)
{
    const int given = (int)(blockIdx.x * COLUMNS + threadIdx.x), c = (int)(blockIdx.y * ROWS + threadIdx.y);
    const int column = column_of(t, given);
    if (c >= t.own) return; /* a whole warp */
    levels<T, FULL> q;
    node<T> own;
    const pair<T> *const slot = slots + (ptrdiff_t)c * t.columns + column;
    pair<T> *v = values + place_of(t, c, column), z = slot[0], above = slot[t.columns];
    chunk_begin<T, FULL>(t, t.first + c, q);
    read<T, FULL>(t, scale, v, q);
    (void)factor(q, lambda_of<T>(t, column), own);
    if (t.column + column == 0) {
        const T shift = z.y;
        z.y = above.y = 0;
#pragma unroll
        for (int l = 1; l < MOST<T>; ++l)
            if (q.has(l)) q.r[l] = pair_of(q.r[l].x - shift * q.metric[l].x, T(0));
    }
    unfold(q, z, above);
    if (given >= t.columns) return;
#pragma unroll
    for (int l = 0; l < MOST<T>; ++l, v += t.columns)
        if (q.has(l)) *v = q.r[l];
}

/* The second slot for the separator of chunk c: if a rank begins with this chunk, it is the last slot of the
 * rank below. It is -1 if there is none. */
static __device__ __forceinline__ int twin_of(const struct separators &t, int c)
{
    if (c == 0) return t.slots - 1;
    return t.slot[c] - t.slot[c - 1] > 1 ? t.slot[c] - 1 : -1;
}

/* Each thread has one node. It computes the conductances again that separators_fold had. */
template <class T, bool FULL>
static __global__ void __launch_bounds__(SOLVE)
    solve_kernel(const __grid_constant__ struct separators t, const __grid_constant__ struct shape s,
                 pair<T> *slots)
{
    const place<T> here = place_of(s, (T *)separators_shared);
    const int given = (int)blockIdx.x * s.columns + here.column, column = column_of(t, given), c = here.chunk,
              twin = twin_of(t, c);
    const bool singular = t.column == 0 && blockIdx.x == 0;
    pair<T> *const slot = slots + (ptrdiff_t)t.slot[c] * t.columns + column,
                   *const other = slots + (ptrdiff_t)(twin < 0 ? 0 : twin) * t.columns + column;
    const T width = (T)t.width, folded = (T)t.folded[c];
    T shift = 0, inner = 0;
    levels<T, FULL> q;
    node<T> own;
    chunk_begin<T, FULL>(t, c, q);
    const T ground = factor(q, lambda_of<T>(t, column), own);
    own.r = *slot;
    if (twin >= 0) {
        own.r.x += other->x;
        own.r.y += other->y;
    }
    meet(here, ground, pair_of(T(0), T(0)), own);
    if (singular) {
        shift = column_sum(here, own.r.x) / width;
        inner = column_sum(here, own.r.y);
        if (given == 0) own.r = pair_of(own.r.x - shift * folded, T(0));
        if (given == 0 && c == 0) own.ground += q.metric[1].y;
    }
    pair<T> z = reduce(here, own);
    if (singular) {
        const T mean = (column_sum(here, folded * z.x) + (inner - shift * (T)t.inner_width)) / width;
        if (given == 0) z = pair_of(z.x - mean, shift);
    }
    if (given >= t.columns) return;
    *slot = z;
    if (twin >= 0) *other = z;
}

template <class T> static bool is_full(const struct separators &t)
{
    return t.n == MOST<T> * t.chunks;
}

static unsigned pieces(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

template <class T>
static kol_status launch_fold(const struct separators &t, double scale, const T *values, T *slots)
{
    if (t.columns <= 0) return KOL_OK;
    const auto kernel = is_full<T>(t) ? fold_kernel<T, true> : fold_kernel<T, false>;
    kernel<<<pieces(t.columns, COLUMNS), dim3(COLUMNS, ROWS), 0, queue_stream()>>>(
        t, (T)scale, (const pair<T> *)values, (pair<T> *)slots);
    CUDA_LAUNCHED("separators_fold");
    return KOL_OK;
}

template <class T> static kol_status launch_solve(const struct separators &t, T *slots)
{
    if (t.columns <= 0) return KOL_OK;
    if (t.chunks > SEPARATORS_CHUNKS || (t.chunks & (t.chunks - 1)) != 0)
        RAISE(KOL_ERR_INTERNAL, "%d chunks of levels", t.chunks);
    const int fit = SOLVE / t.chunks, columns = fit < WIDE ? fit : WIDE;
    const struct shape s = {columns, t.chunks, columns * t.chunks};
    const size_t bytes = sizeof(T) * (size_t)(SHOWN * s.threads);
    const auto kernel = is_full<T>(t) ? solve_kernel<T, true> : solve_kernel<T, false>;
    kernel<<<pieces(t.columns, columns), (unsigned)s.threads, bytes, queue_stream()>>>(t, s,
                                                                                       (pair<T> *)slots);
    CUDA_LAUNCHED("separators_solve");
    return KOL_OK;
}

template <class T>
static kol_status launch_unfold(const struct separators &t, double scale, const T *slots, T *values)
{
    if (t.columns <= 0) return KOL_OK;
    const dim3 grid(pieces(t.columns, COLUMNS), pieces(t.own, ROWS));
    const auto kernel = is_full<T>(t) ? unfold_kernel<T, true> : unfold_kernel<T, false>;
    kernel<<<grid, dim3(COLUMNS, ROWS), 0, queue_stream()>>>(t, (T)scale, (const pair<T> *)slots,
                                                             (pair<T> *)values);
    CUDA_LAUNCHED("separators_unfold");
    return KOL_OK;
}

kol_status separators_fold(struct separators t, double scale, const double *values, double *slots)
{
    return launch_fold(t, scale, values, slots);
}

kol_status separators_fold_single(struct separators t, double scale, const float *values, float *slots)
{
    return launch_fold(t, scale, values, slots);
}

kol_status separators_solve(struct separators t, double *slots)
{
    return launch_solve(t, slots);
}

kol_status separators_solve_single(struct separators t, float *slots)
{
    return launch_solve(t, slots);
}

kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values)
{
    return launch_unfold(t, scale, slots, values);
}

kol_status separators_unfold_single(struct separators t, double scale, const float *slots, float *values)
{
    return launch_unfold(t, scale, slots, values);
}
