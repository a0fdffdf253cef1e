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

template <bool FULL> using levels = struct chunk<double, SEPARATORS_LEVELS, FULL>;

/* Columns beyond the last one are copies of it and are not stored. */
static __device__ __forceinline__ int column_of(const struct separators &t, int given)
{
    return given < t.columns ? given : t.columns - 1;
}

static __device__ __forceinline__ double lambda_of(const struct separators &t, int column)
{
    const int nb = (t.column + column) / t.na;
    return t.la[t.column + column - nb * t.na] + t.lb[nb];
}

template <bool FULL>
static __device__ __forceinline__ void chunk_begin(const struct separators &t, int c, levels<FULL> &q)
{
    const int start = t.start[c];
    q.levels = t.start[c + 1] - start;
    q.metric = (const double2 *)t.metric + start;
}

static __device__ __forceinline__ ptrdiff_t place_of(const struct separators &t, int c, int column)
{
    return (ptrdiff_t)(t.start[t.first + c] - t.start[t.first]) * t.columns + column;
}

template <bool FULL>
static __device__ __forceinline__ void read(const struct separators &t, double scale, const double2 *v,
                                            levels<FULL> &q)
{
#pragma unroll
    for (int l = 0; l < SEPARATORS_LEVELS; ++l, v += t.columns) {
        if (!q.has(l)) continue;
        const double2 r = *v;
        q.r[l] = make_double2(scale * r.x, scale * r.y);
    }
}

/* inner_sum: the sum of `inner` times the values of column 0, which are real. */
template <bool FULL>
static __device__ __forceinline__ double inner_sum(const struct separators &t, int c, const levels<FULL> &q)
{
    const double *inner = t.inner + t.start[c];
    double sum = 0;
#pragma unroll
    for (int l = 1; l < SEPARATORS_LEVELS; ++l)
        if (q.has(l)) sum += inner[l] * q.r[l].x;
    return sum;
}

/* Each thread block goes up through the chunks of its columns, ROWS at a time. The uppermost of these chunks
 * also contributes to the separator above it; this contribution is kept for the next ROWS chunks. The loop is
 * not unrolled, because the compiler might contract products and sums differently in each copy of its body.
 */
template <bool FULL>
static __global__ void __launch_bounds__(COLUMNS *ROWS)
    fold_kernel(const __grid_constant__ struct separators t, double scale, const double2 *values,
                double2 *slots)
{
    __shared__ double2 above[(ROWS + 1) * COLUMNS];
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, given = (int)blockIdx.x * COLUMNS + x;
    const int column = column_of(t, given);
    const double lambda = lambda_of(t, column);
#pragma unroll 1
    for (int first = 0; first < t.own; first += ROWS) {
        const int c = first + y < t.own ? first + y : t.own - 1;
        levels<FULL> q;
        node<double> own;
        chunk_begin<FULL>(t, t.first + c, q);
        read<FULL>(t, scale, values + place_of(t, c, column), q);
        (void)factor(q, lambda, own);
        double2 r = fold(q, own);
        if (t.column + column == 0) {
            own.r.y = inner_sum<FULL>(t, t.first + c, q);
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
        double2 *const slot = slots + (ptrdiff_t)c * t.columns + column;
        *slot = own.r;
        if (c == t.own - 1) slot[t.columns] = r;
    }
}

template <bool FULL>
static __global__ void __launch_bounds__(COLUMNS *ROWS)
    unfold_kernel(const __grid_constant__ struct separators t, double scale, const double2 *slots,
                  double2 *values)
{
    const int given = (int)(blockIdx.x * COLUMNS + threadIdx.x), c = (int)(blockIdx.y * ROWS + threadIdx.y);
    const int column = column_of(t, given);
    if (c >= t.own) return; /* a whole warp */
    levels<FULL> q;
    node<double> own;
    const double2 *const slot = slots + (ptrdiff_t)c * t.columns + column;
    double2 *v = values + place_of(t, c, column), z = slot[0], above = slot[t.columns];
    chunk_begin<FULL>(t, t.first + c, q);
    read<FULL>(t, scale, v, q);
    (void)factor(q, lambda_of(t, column), own);
    if (t.column + column == 0) {
        const double shift = z.y;
        z.y = above.y = 0;
#pragma unroll
        for (int l = 1; l < SEPARATORS_LEVELS; ++l)
            if (q.has(l)) q.r[l] = make_double2(q.r[l].x - shift * q.metric[l].x, 0);
    }
    unfold(q, z, above);
    if (given >= t.columns) return;
#pragma unroll
    for (int l = 0; l < SEPARATORS_LEVELS; ++l, v += t.columns)
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
template <bool FULL>
static __global__ void __launch_bounds__(SOLVE)
    solve_kernel(const __grid_constant__ struct separators t, const __grid_constant__ struct shape s,
                 double2 *slots)
{
    const place<double> here = place_of(s, separators_shared);
    const int given = (int)blockIdx.x * s.columns + here.column, column = column_of(t, given), c = here.chunk,
              twin = twin_of(t, c);
    const bool singular = t.column == 0 && blockIdx.x == 0;
    double2 *const slot = slots + (ptrdiff_t)t.slot[c] * t.columns + column,
                   *const other = slots + (ptrdiff_t)(twin < 0 ? 0 : twin) * t.columns + column;
    double shift = 0, inner = 0;
    levels<FULL> q;
    node<double> own;
    chunk_begin<FULL>(t, c, q);
    const double ground = factor(q, lambda_of(t, column), own);
    own.r = *slot;
    if (twin >= 0) {
        own.r.x += other->x;
        own.r.y += other->y;
    }
    meet(here, ground, make_double2(0, 0), own);
    if (singular) {
        shift = column_sum(here, own.r.x) / t.width;
        inner = column_sum(here, own.r.y);
        if (given == 0) own.r = make_double2(own.r.x - shift * t.folded[c], 0);
        if (given == 0 && c == 0) own.ground += q.metric[1].y;
    }
    double2 z = reduce(here, own);
    if (singular) {
        const double mean = (column_sum(here, t.folded[c] * z.x) + (inner - shift * t.inner_width)) / t.width;
        if (given == 0) z = make_double2(z.x - mean, shift);
    }
    if (given >= t.columns) return;
    *slot = z;
    if (twin >= 0) *other = z;
}

static bool is_full(const struct separators &t)
{
    return t.n == SEPARATORS_LEVELS * t.chunks;
}

static unsigned pieces(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

kol_status separators_fold(struct separators t, double scale, const double *values, double *slots)
{
    if (t.columns <= 0) return KOL_OK;
    const auto kernel = is_full(t) ? fold_kernel<true> : fold_kernel<false>;
    kernel<<<pieces(t.columns, COLUMNS), dim3(COLUMNS, ROWS), 0, queue_stream()>>>(
        t, scale, (const double2 *)values, (double2 *)slots);
    CUDA_LAUNCHED("separators_fold");
    return KOL_OK;
}

kol_status separators_solve(struct separators t, double *slots)
{
    if (t.columns <= 0) return KOL_OK;
    if (t.chunks > SEPARATORS_CHUNKS || (t.chunks & (t.chunks - 1)) != 0)
        RAISE(KOL_ERR_INTERNAL, "%d chunks of levels", t.chunks);
    const int most = SOLVE / t.chunks, columns = most < WIDE ? most : WIDE;
    const struct shape s = {columns, t.chunks, columns * t.chunks};
    const size_t bytes = sizeof(double) * (size_t)(SHOWN * s.threads);
    const auto kernel = is_full(t) ? solve_kernel<true> : solve_kernel<false>;
    kernel<<<pieces(t.columns, columns), (unsigned)s.threads, bytes, queue_stream()>>>(t, s,
                                                                                       (double2 *)slots);
    CUDA_LAUNCHED("separators_solve");
    return KOL_OK;
}

kol_status separators_unfold(struct separators t, double scale, const double *slots, double *values)
{
    if (t.columns <= 0) return KOL_OK;
    const dim3 grid(pieces(t.columns, COLUMNS), pieces(t.own, ROWS));
    const auto kernel = is_full(t) ? unfold_kernel<true> : unfold_kernel<false>;
    kernel<<<grid, dim3(COLUMNS, ROWS), 0, queue_stream()>>>(t, scale, (const double2 *)slots,
                                                             (double2 *)values);
    CUDA_LAUNCHED("separators_unfold");
    return KOL_OK;
}
