/* Sums the force and the torque of the fluid on bodies. A thread block takes one segment. */
#include "../body_force.h"
#include "../point/body_force.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"

enum { FORCE_THREADS = 128, FORCE_WARPS = FORCE_THREADS / PIECE_WARP, FORCE_KIND = 3, FORCE_BLOCKS = 8 };

/* Bits of the kinds of sums that a kernel has, each of three numbers. */
enum {
    RATES_KINDS =
        1 << BODY_VISCOUS / FORCE_KIND | 1 << BODY_CONVECTIVE / FORCE_KIND | 1 << BODY_TORQUE / FORCE_KIND,
    DRAG_KINDS = 1 << BODY_VISCOUS / FORCE_KIND | 1 << BODY_TORQUE / FORCE_KIND,
    PRESSURE_KINDS = 1 << BODY_PRESSURE / FORCE_KIND | 1 << BODY_TORQUE / FORCE_KIND
};

__device__ __forceinline__ bool kinds_have(int all, int q)
{
    return (all >> (q / FORCE_KIND) & 1) != 0;
}

/* Adds up the values of a thread block by a tree, whose order depends on the segment's own lists alone, and
 * returns sum q to thread q. Sums of other kinds than KINDS are 0. */
template <int KINDS> __device__ __forceinline__ double force_fold(double sum[BODY_FORCES])
{
    __shared__ double part[FORCE_WARPS][BODY_FORCES];
    const int t = (int)threadIdx.x, warp = t / PIECE_WARP;
#pragma unroll
    for (int q = 0; q < BODY_FORCES; ++q) {
        if (!kinds_have(KINDS, q)) continue;
        double v = sum[q];
#pragma unroll
        for (int half = PIECE_WARP / 2; half > 0; half /= 2)
            v += __shfl_down_sync(0xffffffffu, v, (unsigned)half);
        if (t % PIECE_WARP == 0) part[warp][q] = v;
    }
    __syncthreads();
    double all = 0;
    if (t < BODY_FORCES && kinds_have(KINDS, t)) {
#pragma unroll
        for (int n = 0; n < FORCE_WARPS; ++n) all += part[n][t];
    }
    return all;
}

static __global__ void __launch_bounds__(FORCE_THREADS, FORCE_BLOCKS)
    rates_kernel(struct box b, struct metrics m, const __grid_constant__ struct body_surface s, real nu,
                 const real *u, const real *v, const real *w, int keep, double a, double a_old,
                 double *before, double *total)
{
    const int n = (int)blockIdx.x, t = (int)threadIdx.x, end = s.link_start[n + 1];
    double sum[BODY_FORCES] = {};
    for (int l = s.link_start[n] + t; l < end; l += FORCE_THREADS)
        point_force_rates(b, m, point_link_at(s.links, l), nu, u, v, w, sum);
    const double rate = force_fold<RATES_KINDS>(sum);
    if (t >= BODY_FORCES) return;
    const ptrdiff_t o = (ptrdiff_t)n * BODY_FORCES + t;
    total[o] = point_force_stage(keep, keep ? total[o] : 0, a, rate, a_old, a_old != 0 ? before[o] : 0);
    before[o] = rate;
}

kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s, real nu,
                            real *const vel[3], int keep, double a, double a_old, double *before,
                            double *total)
{
    if (s.segments == 0) return KOL_OK;
    rates_kernel<<<(unsigned)s.segments, FORCE_THREADS, 0, queue_stream()>>>(
        b, m, s, nu, vel[X], vel[Y], vel[Z], keep, a, a_old, before, total);
    CUDA_LAUNCHED("body_force_rates");
    return KOL_OK;
}

static __global__ void __launch_bounds__(FORCE_THREADS, FORCE_BLOCKS)
    drag_kernel(struct box b, struct metrics m, const __grid_constant__ struct body_surface s,
                struct body_points x, struct body_points y, struct body_points z, real dts, const real *u,
                const real *v, const real *w, double *total)
{
    const int n = (int)blockIdx.x, t = (int)threadIdx.x, end = s.link_start[n + 1];
    double sum[BODY_FORCES] = {};
    for (int l = s.link_start[n] + t; l < end; l += FORCE_THREADS) {
        const struct body_link link = point_link_at(s.links, l);
        point_force_drag(b, m, link, point_link_points(link.d, x, y, z), dts,
                         point_body_field(link.d, u, v, w), sum);
    }
    const double all = force_fold<DRAG_KINDS>(sum);
    if (t < BODY_FORCES) total[(ptrdiff_t)n * BODY_FORCES + t] += all;
}

kol_status body_force_drag(struct box b, struct metrics m, struct body_surface s,
                           const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    if (s.segments == 0) return KOL_OK;
    drag_kernel<<<(unsigned)s.segments, FORCE_THREADS, 0, queue_stream()>>>(
        b, m, s, points[X], points[Y], points[Z], dts, vel[X], vel[Y], vel[Z], total);
    CUDA_LAUNCHED("body_force_drag");
    return KOL_OK;
}

static __global__ void __launch_bounds__(FORCE_THREADS, FORCE_BLOCKS)
    pressure_kernel(struct box b, struct metrics m, const __grid_constant__ struct body_surface s, real dts,
                    const real *p, const real *phi, double *total)
{
    const int n = (int)blockIdx.x, t = (int)threadIdx.x, end = s.front_start[n + 1];
    double sum[BODY_FORCES] = {};
    for (int f = s.front_start[n] + t; f < end; f += FORCE_THREADS)
        point_force_pressure(b, m, s.front[f], dts, p, phi, sum);
    const double all = force_fold<PRESSURE_KINDS>(sum);
    if (t < BODY_FORCES) total[(ptrdiff_t)n * BODY_FORCES + t] += all;
}

kol_status body_force_pressure(struct box b, struct metrics m, struct body_surface s, real dts, const real *p,
                               const real *phi, double *total)
{
    if (s.segments == 0) return KOL_OK;
    pressure_kernel<<<(unsigned)s.segments, FORCE_THREADS, 0, queue_stream()>>>(b, m, s, dts, p, phi, total);
    CUDA_LAUNCHED("body_force_pressure");
    return KOL_OK;
}
