/* Adds up Fourier coefficients in shells of wavenumbers, and in planes normal to each axis. */
#include "../shells.h"
#include "../point/shells.h"
#include "check.cuh"
#include "queue.cuh"

enum { WARP = 32, THREADS = 128, GRID_MOST = 65535 };

/* first_wave: the first wave along t whose square, added to those of a and b, reaches the edge. A root gives
 * a guess, which the exact comparison corrects, so every wave is in exactly one shell. */
__device__ __forceinline__ int first_wave(const struct shells &s, double square, double edge)
{
    const int waves = s.nt / 2 + 1;
    const double rest = edge - square;
    int m = rest > 0 ? (int)fmin(sqrt(rest) / s.step, (double)waves) : 0;
    while (m > 0 && square + s.square[2][m - 1] >= edge) --m;
    while (m < waves && square + s.square[2][m] < edge) ++m;
    return m;
}

/* first_number: the number of the first coefficient of wave m. */
__device__ __forceinline__ int first_number(const struct shells &s, int m)
{
    return m == 0 ? 0 : min(2 * m - 1, s.nt);
}

/* shells_kernel: each thread adds up one shell of one group, line after line. Threads side by side read along
 * the lines. */
static __global__ void __launch_bounds__(THREADS)
    shells_kernel(const __grid_constant__ struct shells s, int add, const double *u, const double *f,
                  double *part)
{
    const int shell = (int)(blockIdx.x * THREADS + threadIdx.x), g = (int)blockIdx.y;
    if (shell >= s.shells) return;
    double *const place = part + (ptrdiff_t)g * SHELL_SUMS * s.shells + shell;
    const double low = s.edge[shell], high = s.edge[shell + 1];
    double sum[SHELL_SUMS];
#pragma unroll
    for (int q = 0; q < SHELL_SUMS; ++q) sum[q] = add ? place[q * s.shells] : 0;
    for (int a = s.start[g]; a < s.start[g + 1]; ++a) {
        const int ma = shell_wave(s.first + a);
        const double wa = shell_weight(s.first + a, s.na_g), qa = s.square[0][ma], pa = s.modified[0][ma];
        for (int b = 0; b < s.nb; ++b) {
            const int mb = shell_wave(b);
            const double square = qa + s.square[1][mb], modified = pa + s.modified[1][mb];
            const double weight = wa * shell_weight(b, s.nb);
            const ptrdiff_t line = ((ptrdiff_t)a * s.nb + b) * s.nt;
            const int end = first_number(s, first_wave(s, square, high));
#pragma unroll 1
            for (int t = first_number(s, first_wave(s, square, low)); t < end; ++t) {
                double term[SHELL_SUMS];
                shell_terms(weight * shell_weight(t, s.nt), modified + s.modified[2][shell_wave(t)],
                            u[line + t], f[line + t], term);
#pragma unroll
                for (int q = 0; q < SHELL_SUMS; ++q) sum[q] += term[q];
            }
        }
    }
#pragma unroll
    for (int q = 0; q < SHELL_SUMS; ++q) place[q * s.shells] = sum[q];
}

kol_status shells_sum(struct shells s, int add, const double *u, const double *f, double *part)
{
    const dim3 grid((unsigned)((s.shells + THREADS - 1) / THREADS), (unsigned)s.groups);
    if (s.groups == 0) return KOL_OK;
    shells_kernel<<<grid, THREADS, 0, queue_stream()>>>(s, add, u, f, part);
    CUDA_LAUNCHED("shells_sum");
    return KOL_OK;
}

/* lines_kernel: each warp adds up one line along t. Its lanes are added by halves. */
static __global__ void __launch_bounds__(THREADS)
    lines_kernel(const __grid_constant__ struct shells s, const double *u, double *lines)
{
    const int lane = (int)threadIdx.x % WARP, warps = THREADS / WARP;
    const ptrdiff_t count = (ptrdiff_t)s.na * s.nb;
    for (ptrdiff_t l = (ptrdiff_t)blockIdx.x * warps + threadIdx.x / WARP; l < count;
         l += (ptrdiff_t)gridDim.x * warps) {
        const double *line = u + l * s.nt;
        double sum = 0;
        for (int t = lane; t < s.nt; t += WARP) sum += shell_weight(t, s.nt) * (line[t] * line[t]);
#pragma unroll
        for (int half = WARP / 2; half > 0; half /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)half);
        if (lane == 0) lines[l] = sum;
    }
}

/* planes_kernel: threads for the planes along a, and after them for the planes along b, of each group. */
static __global__ void __launch_bounds__(THREADS)
    planes_kernel(const __grid_constant__ struct shells s, const double *lines, double *along_a,
                  double *along_b)
{
    const int n = (int)(blockIdx.x * THREADS + threadIdx.x), g = (n - s.na) / s.nb, b = (n - s.na) % s.nb;
    double sum = 0;
    if (n < s.na) {
        for (int j = 0; j < s.nb; ++j) sum += shell_weight(j, s.nb) * lines[(ptrdiff_t)n * s.nb + j];
        along_a[n] = sum;
    } else if (g < s.groups) {
        for (int a = s.start[g]; a < s.start[g + 1]; ++a)
            sum += shell_weight(s.first + a, s.na_g) * lines[(ptrdiff_t)a * s.nb + b];
        along_b[(ptrdiff_t)g * s.nb + b] = sum;
    }
}

/* along_kernel: each thread adds up one plane along t of one group. */
static __global__ void __launch_bounds__(THREADS)
    along_kernel(const __grid_constant__ struct shells s, const double *u, double *along_t)
{
    const int t = (int)(blockIdx.x * THREADS + threadIdx.x), g = (int)blockIdx.y;
    if (t >= s.nt) return;
    double sum = 0;
    for (int a = s.start[g]; a < s.start[g + 1]; ++a) {
        const double weight = shell_weight(s.first + a, s.na_g);
        for (int b = 0; b < s.nb; ++b) {
            const double value = u[((ptrdiff_t)a * s.nb + b) * s.nt + t];
            sum += weight * shell_weight(b, s.nb) * (value * value);
        }
    }
    along_t[(ptrdiff_t)g * s.nt + t] = sum;
}

kol_status shells_planes(struct shells s, const double *u, double *lines, double *along_a, double *along_b,
                         double *along_t)
{
    const ptrdiff_t count = (ptrdiff_t)s.na * s.nb, blocks = (count + THREADS / WARP - 1) / (THREADS / WARP);
    const unsigned launch = blocks < GRID_MOST ? (unsigned)blocks : (unsigned)GRID_MOST;
    const unsigned threads = (unsigned)s.na + (unsigned)s.groups * (unsigned)s.nb;
    if (s.groups == 0) return KOL_OK;
    lines_kernel<<<launch, THREADS, 0, queue_stream()>>>(s, u, lines);
    CUDA_LAUNCHED("shells_planes, lines");
    planes_kernel<<<(threads + THREADS - 1) / THREADS, THREADS, 0, queue_stream()>>>(s, lines, along_a,
                                                                                     along_b);
    CUDA_LAUNCHED("shells_planes");
    const dim3 grid((unsigned)((s.nt + THREADS - 1) / THREADS), (unsigned)s.groups);
    along_kernel<<<grid, THREADS, 0, queue_stream()>>>(s, u, along_t);
    CUDA_LAUNCHED("shells_planes, along lines");
    return KOL_OK;
}
