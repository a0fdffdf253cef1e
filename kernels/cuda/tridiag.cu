/* Solves many tridiagonal systems along the last direction, with factors that are stored. */
#include "../tridiag.h"
#include "../point/tridiag.h"
#include "check.cuh"
#include "queue.cuh"

enum { COLUMN_THREADS = 128, DIAGONAL_X = 64, DIAGONAL_Y = 4, GRID_MOST = 65535, DEPTH = 4 };

/* values of a column at one level: its parts, which are moved together. */
template <int PARTS> struct __align__(8 * PARTS) level_values
{
    double v[PARTS];
};

static unsigned blocks_for(ptrdiff_t n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

/* Each thread takes one column; columns lie side by side in every level. */
static __global__ void __launch_bounds__(COLUMN_THREADS) factor_kernel(struct tridiag t)
{
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb, c = (ptrdiff_t)blockIdx.x * COLUMN_THREADS + threadIdx.x;
    if (c >= level) return;
    const double lambda = t.la[c % t.na] + t.lb[c / t.na];
    const bool cyclic = t.border != NULL;
    const int last = t.n - 1, levels = cyclic ? last : t.n;
    double e = t.g[0], low = 1;
    for (int i = 0; i < levels; ++i) {
        const double g_low = i > 0 ? t.g[i] : cyclic ? 1 : 0;
        low = point_pivot(&e, g_low, low, lambda * t.w[i], t.g[i + 1]);
        t.pivot[c + i * level] = low;
    }
    if (!cyclic) return;
    double below = 0, *border = t.border + c;
    for (int i = 0; i < last; ++i) {
        below = point_tridiag_up(lambda * t.w[i], i > 0 ? t.g[i] : 0, below, t.pivot[c + i * level]);
        border[i * level] = below;
    }
    for (int i = last - 2; i >= 0; --i) {
        below = point_tridiag_down(border[i * level], t.g[i + 1], below, t.pivot[c + i * level]);
        border[i * level] = below;
    }
    const double sum = lambda * t.w[last] + t.g[0] * border[0] + t.g[last] * border[(last - 1) * level];
    t.pivot[c + last * level] = sum > 0 ? 1 / sum : 0;
    border[last * level] = 0;
}

kol_status tridiag_factor(struct tridiag t)
{
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb;
    if (level == 0) return KOL_OK;
    factor_kernel<<<blocks_for(level, COLUMN_THREADS), COLUMN_THREADS, 0, queue_stream()>>>(t);
    CUDA_LAUNCHED("tridiag_factor");
    return KOL_OK;
}

/* columns: what the sweeps of one thread work on. Pointers are at the first level of its column. DEPTH levels
 * are loaded together, before the recurrence needs the first of them. */
template <int PARTS> struct columns {
    ptrdiff_t level;
    const double *pivot;
    struct level_values<PARTS> *value;
};

template <int PARTS>
__device__ __forceinline__ void fetch(const struct columns<PARTS> &c, int i, int levels, int step,
                                      struct level_values<PARTS> (&r)[DEPTH], double (&pivot)[DEPTH])
{
#pragma unroll
    for (int d = 0; d < DEPTH; ++d) {
        const int at_level = i + d * step;
        if (at_level < 0 || at_level >= levels) continue;
        r[d] = c.value[at_level * c.level];
        pivot[d] = c.pivot[at_level * c.level];
    }
}

template <int PARTS>
__device__ __forceinline__ void sweep_up(const struct columns<PARTS> &c, int levels, const double *g,
                                         double scale)
{
    struct level_values<PARTS> z, r[DEPTH];
    double pivot[DEPTH];
    for (int p = 0; p < PARTS; ++p) z.v[p] = 0;
    for (int first = 0; first < levels; first += DEPTH) {
        fetch(c, first, levels, 1, r, pivot);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const int i = first + d;
            if (i >= levels) continue;
            const double g_low = i > 0 ? g[i] : 0;
#pragma unroll
            for (int p = 0; p < PARTS; ++p)
                z.v[p] = point_tridiag_up(scale * r[d].v[p], g_low, z.v[p], pivot[d]);
            c.value[i * c.level] = z;
        }
    }
}

/* sum: the sum of w times the values. The value above the last level counts as 0. */
template <int PARTS>
__device__ __forceinline__ void sweep_down(const struct columns<PARTS> &c, int levels, const double *g,
                                           const double *w, struct level_values<PARTS> &sum)
{
    struct level_values<PARTS> z, r[DEPTH];
    double pivot[DEPTH];
    for (int p = 0; p < PARTS; ++p) z.v[p] = sum.v[p] = 0;
    for (int first = levels - 1; first >= 0; first -= DEPTH) {
        fetch(c, first, levels, -1, r, pivot);
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) {
            const int i = first - d;
            if (i < 0) continue;
            const double g_high = g[i + 1];
#pragma unroll
            for (int p = 0; p < PARTS; ++p) {
                z.v[p] = point_tridiag_down(r[d].v[p], g_high, z.v[p], pivot[d]);
                sum.v[p] += w[i] * z.v[p];
            }
            c.value[i * c.level] = z;
        }
    }
}

/* Computes the unknown of the last level, and with it the others. */
template <int PARTS>
__device__ __forceinline__ void close_border(const struct columns<PARTS> &c, int last, const double *g,
                                             const double *w, const double *border, double scale,
                                             struct level_values<PARTS> &sum)
{
    const struct level_values<PARTS> low = c.value[0], high = c.value[(last - 1) * c.level];
    struct level_values<PARTS> z = c.value[last * c.level];
#pragma unroll
    for (int p = 0; p < PARTS; ++p) {
        z.v[p] = (scale * z.v[p] + g[0] * low.v[p] + g[last] * high.v[p]) * c.pivot[last * c.level];
        sum.v[p] = w[last] * z.v[p];
    }
    c.value[last * c.level] = z;
    for (int i = 0; i < last; ++i) {
        struct level_values<PARTS> r = c.value[i * c.level];
        const double part = 1 - border[i * c.level];
#pragma unroll
        for (int p = 0; p < PARTS; ++p) {
            r.v[p] += z.v[p] * part;
            sum.v[p] += w[i] * r.v[p];
        }
        c.value[i * c.level] = r;
    }
}

/* For the singular column: subtracts its mean. */
template <int PARTS, bool CYCLIC>
static __global__ void __launch_bounds__(COLUMN_THREADS)
    solve_kernel(const __grid_constant__ struct tridiag t, double scale, struct level_values<PARTS> *values)
{
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb,
                    own = (ptrdiff_t)blockIdx.x * COLUMN_THREADS + threadIdx.x;
    if (own >= level) return;
    const struct columns<PARTS> c = {
        level, t.pivot + own, values + own
    };
    const int levels = CYCLIC ? t.n - 1 : t.n;
    struct level_values<PARTS> sum;
    sweep_up(c, levels, t.g, scale);
    sweep_down(c, levels, t.g, t.w, sum);
    if (CYCLIC) close_border(c, levels, t.g, t.w, t.border + own, scale, sum);
    if (!t.zero || own != 0) return;
    double width = 0;
    for (int i = 0; i < t.n; ++i) width += t.w[i];
    for (int p = 0; p < PARTS; ++p) t.mean[p] = sum.v[p] / width;
}

/* For the singular column: removes the sum of the right-hand side, in proportion to w. One thread block does
 * it: each thread forms a sum, then all threads add these up. */
template <int PARTS>
static __global__ void __launch_bounds__(COLUMN_THREADS)
    sum_kernel(const __grid_constant__ struct tridiag t, struct level_values<PARTS> *values)
{
    __shared__ double sums[(PARTS + 1) * COLUMN_THREADS];
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb;
    const int own = (int)threadIdx.x;
    double part[PARTS + 1] = {};
    for (int i = own; i < t.n; i += COLUMN_THREADS) {
        for (int p = 0; p < PARTS; ++p) part[p] += values[i * level].v[p];
        part[PARTS] += t.w[i];
    }
    for (int p = 0; p <= PARTS; ++p) sums[p * COLUMN_THREADS + own] = part[p];
    __syncthreads();
    for (int p = 0; p <= PARTS; ++p) {
        part[p] = 0;
        for (int n = 0; n < COLUMN_THREADS; ++n) part[p] += sums[p * COLUMN_THREADS + n];
    }
    for (int i = own; i < t.n; i += COLUMN_THREADS)
        for (int p = 0; p < PARTS; ++p) values[i * level].v[p] -= t.w[i] * (part[p] / part[PARTS]);
}

template <int PARTS>
static __global__ void __launch_bounds__(COLUMN_THREADS)
    mean_kernel(const __grid_constant__ struct tridiag t, struct level_values<PARTS> *values)
{
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb;
    const int i = (int)(blockIdx.x * COLUMN_THREADS + threadIdx.x);
    if (i >= t.n) return;
    for (int p = 0; p < PARTS; ++p) values[i * level].v[p] -= t.mean[p];
}

template <int PARTS> static kol_status solve(const struct tridiag &t, double scale, double *values)
{
    const ptrdiff_t level = (ptrdiff_t)t.na * t.nb;
    const unsigned blocks = blocks_for(level, COLUMN_THREADS);
    struct level_values<PARTS> *v = (struct level_values<PARTS> *)values;
    if (level == 0) return KOL_OK;
    if (t.zero) {
        sum_kernel<PARTS><<<1, COLUMN_THREADS, 0, queue_stream()>>>(t, v);
        CUDA_LAUNCHED("tridiag_solve, sum");
    }
    if (t.border != NULL)
        solve_kernel<PARTS, true><<<blocks, COLUMN_THREADS, 0, queue_stream()>>>(t, scale, v);
    else solve_kernel<PARTS, false><<<blocks, COLUMN_THREADS, 0, queue_stream()>>>(t, scale, v);
    CUDA_LAUNCHED("tridiag_solve");
    if (!t.zero) return KOL_OK;
    mean_kernel<PARTS><<<blocks_for(t.n, COLUMN_THREADS), COLUMN_THREADS, 0, queue_stream()>>>(t, v);
    CUDA_LAUNCHED("tridiag_solve, mean");
    return KOL_OK;
}

kol_status tridiag_solve(struct tridiag t, double scale, double *values)
{
    return t.parts == 2 ? solve<2>(t, scale, values) : solve<1>(t, scale, values);
}

template <int PARTS>
static __global__ void __launch_bounds__(DIAGONAL_X *DIAGONAL_Y)
    diagonal_kernel(int na, int nb, int nc, const double *__restrict__ la, const double *__restrict__ lb,
                    const double *__restrict__ lc, double scale, struct level_values<PARTS> *values)
{
    const int i = (int)(blockIdx.x * DIAGONAL_X + threadIdx.x);
    if (i >= na) return;
    for (int k = (int)blockIdx.z; k < nc; k += (int)gridDim.z) {
        for (int j = (int)(blockIdx.y * DIAGONAL_Y + threadIdx.y); j < nb; j += (int)gridDim.y * DIAGONAL_Y) {
            struct level_values<PARTS> *place = values + ((ptrdiff_t)k * nb + j) * na + i, v = *place;
            const double factor = point_inverse_sum(la[i], lb[j], lc[k], scale);
#pragma unroll
            for (int p = 0; p < PARTS; ++p) v.v[p] *= factor;
            *place = v;
        }
    }
}

static unsigned at_most(int n)
{
    return (unsigned)(n < GRID_MOST ? n : GRID_MOST);
}

kol_status tridiag_diagonal(const int n[3], int parts, const double *la, const double *lb, const double *lc,
                            double scale, double *values)
{
    if (n[0] <= 0 || n[1] <= 0 || n[2] <= 0) return KOL_OK;
    const dim3 threads(DIAGONAL_X, DIAGONAL_Y);
    const dim3 grid(blocks_for(n[0], DIAGONAL_X), at_most((n[1] + DIAGONAL_Y - 1) / DIAGONAL_Y),
                    at_most(n[2]));
    if (parts == 2) {
        diagonal_kernel<2><<<grid, threads, 0, queue_stream()>>>(n[0], n[1], n[2], la, lb, lc, scale,
                                                                 (struct level_values<2> *)values);
    } else {
        diagonal_kernel<1><<<grid, threads, 0, queue_stream()>>>(n[0], n[1], n[2], la, lb, lc, scale,
                                                                 (struct level_values<1> *)values);
    }
    CUDA_LAUNCHED("tridiag_diagonal");
    return KOL_OK;
}
