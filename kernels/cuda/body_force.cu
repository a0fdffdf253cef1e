/* Sums the force and the torque of the fluid on bodies. A warp takes one segment. */
#include "../body_force.h"
#include "../point/body_force.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"

enum { FORCE_THREADS = 128, FORCE_SEGMENTS = FORCE_THREADS / PIECE_WARP, ADD_THREADS = 256 };

static unsigned force_blocks(int segments)
{
    return (unsigned)((segments + FORCE_SEGMENTS - 1) / FORCE_SEGMENTS);
}

__device__ __forceinline__ int force_segment(void)
{
    return (int)blockIdx.x * FORCE_SEGMENTS + (int)threadIdx.x / PIECE_WARP;
}

__device__ __forceinline__ int force_lane(void)
{
    return (int)threadIdx.x % PIECE_WARP;
}

/* Adds up the values of a warp by a tree, whose order depends on the segment's own lists alone. ADD: to what
 * is there. */
template <bool ADD> __device__ __forceinline__ void force_leave(double sum[BODY_FORCES], double *out)
{
#pragma unroll
    for (int q = 0; q < BODY_FORCES; ++q) {
        double v = sum[q];
#pragma unroll
        for (int half = PIECE_WARP / 2; half > 0; half /= 2)
            v += __shfl_down_sync(0xffffffffu, v, (unsigned)half);
        if (force_lane() == 0) out[q] = ADD ? out[q] + v : v;
    }
}

static __global__ void __launch_bounds__(FORCE_THREADS)
    rates_kernel(struct box b, struct metrics m, struct body_surface s, struct body_points x,
                 struct body_points y, struct body_points z, real nu, const real *u, const real *v,
                 const real *w, double *rates)
{
    const int n = force_segment();
    double sum[BODY_FORCES] = {};
    if (n >= s.segments) return;
    for (int l = s.link_start[n] + force_lane(); l < s.link_start[n + 1]; l += PIECE_WARP) {
        const struct body_link link = s.link[l];
        point_force_rates(b, m, link, link.d == X ? x : link.d == Y ? y : z, nu, u, v, w, sum);
    }
    force_leave<false>(sum, rates + (ptrdiff_t)n * BODY_FORCES);
}

kol_status body_force_rates(struct box b, struct metrics m, struct body_surface s,
                            const struct body_points points[3], real nu, real *const vel[3], double *rates)
{
    if (s.segments == 0) return KOL_OK;
    rates_kernel<<<force_blocks(s.segments), FORCE_THREADS, 0, queue_stream()>>>(
        b, m, s, points[X], points[Y], points[Z], nu, vel[X], vel[Y], vel[Z], rates);
    CUDA_LAUNCHED("body_force_rates");
    return KOL_OK;
}

static __global__ void __launch_bounds__(ADD_THREADS)
    add_kernel(int n, int keep, double a, double a_old, const double *rates, double *before, double *total)
{
    const int q = (int)(blockIdx.x * ADD_THREADS + threadIdx.x);
    if (q >= n) return;
    const double start = keep ? total[q] : 0, old = a_old != 0 ? a_old * before[q] : 0;
    total[q] = start + (a * rates[q] + old);
    before[q] = rates[q];
}

kol_status body_force_add(int n, int keep, double a, double a_old, const double *rates, double *before,
                          double *total)
{
    if (n == 0) return KOL_OK;
    add_kernel<<<(unsigned)((n + ADD_THREADS - 1) / ADD_THREADS), ADD_THREADS, 0, queue_stream()>>>(
        n, keep, a, a_old, rates, before, total);
    CUDA_LAUNCHED("body_force_add");
    return KOL_OK;
}

static __global__ void __launch_bounds__(FORCE_THREADS)
    drag_kernel(struct box b, struct metrics m, struct body_surface s, struct body_points x,
                struct body_points y, struct body_points z, real dts, const real *u, const real *v,
                const real *w, double *total)
{
    const int n = force_segment();
    double sum[BODY_FORCES] = {};
    if (n >= s.segments) return;
    for (int l = s.link_start[n] + force_lane(); l < s.link_start[n + 1]; l += PIECE_WARP) {
        const struct body_link link = s.link[l];
        point_force_drag(b, m, link,
                         link.d == X   ? x
                         : link.d == Y ? y
                                       : z,
                         dts,
                         link.d == X   ? u
                         : link.d == Y ? v
                                       : w,
                         sum);
    }
    force_leave<true>(sum, total + (ptrdiff_t)n * BODY_FORCES);
}

kol_status body_force_drag(struct box b, struct metrics m, struct body_surface s,
                           const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    if (s.segments == 0) return KOL_OK;
    drag_kernel<<<force_blocks(s.segments), FORCE_THREADS, 0, queue_stream()>>>(
        b, m, s, points[X], points[Y], points[Z], dts, vel[X], vel[Y], vel[Z], total);
    CUDA_LAUNCHED("body_force_drag");
    return KOL_OK;
}

static __global__ void __launch_bounds__(FORCE_THREADS)
    pressure_kernel(struct box b, struct metrics m, struct body_surface s, real dts, const real *p,
                    const real *phi, double *total)
{
    const int n = force_segment();
    double sum[BODY_FORCES] = {};
    if (n >= s.segments) return;
    for (int f = s.front_start[n] + force_lane(); f < s.front_start[n + 1]; f += PIECE_WARP)
        point_force_pressure(b, m, s.front[f], dts, p, phi, sum);
    force_leave<true>(sum, total + (ptrdiff_t)n * BODY_FORCES);
}

kol_status body_force_pressure(struct box b, struct metrics m, struct body_surface s, real dts, const real *p,
                               const real *phi, double *total)
{
    if (s.segments == 0) return KOL_OK;
    pressure_kernel<<<force_blocks(s.segments), FORCE_THREADS, 0, queue_stream()>>>(b, m, s, dts, p, phi,
                                                                                    total);
    CUDA_LAUNCHED("body_force_pressure");
    return KOL_OK;
}
