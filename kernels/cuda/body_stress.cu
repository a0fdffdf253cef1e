/* Keeps the force at each point of the surface of bodies. A thread takes one link or one closed face. */
#include "../body_stress.h"
#include "../point/body_force.h"
#include "check.cuh"
#include "queue.cuh"

enum { STRESS_THREADS = 128 };

static unsigned stress_blocks(ptrdiff_t n)
{
    return (unsigned)((n + STRESS_THREADS - 1) / STRESS_THREADS);
}

__device__ __forceinline__ ptrdiff_t stress_item(void)
{
    return (ptrdiff_t)blockIdx.x * STRESS_THREADS + threadIdx.x;
}

static __global__ void __launch_bounds__(STRESS_THREADS)
    stress_rates_kernel(struct box b, struct metrics m, const __grid_constant__ struct body_items s, real nu,
                        const real *u, const real *v, const real *w, int keep, double a, double a_old,
                        double *before, double *total)
{
    const ptrdiff_t n = stress_item();
    if (n < s.links.n) {
        const struct link_force f = point_link_force(b, m, point_link_at(s.links, (int)n), nu, u, v, w);
        const double rate = f.viscous + f.convective, old = a_old != 0 ? before[n] : 0;
        total[n] = point_force_stage(keep, keep ? total[n] : 0, a, rate, a_old, old);
        before[n] = rate;
    } else if (n < s.links.n + 2 * (ptrdiff_t)s.fronts && !keep) {
        total[n] = 0;
    }
}

kol_status body_stress_rates(struct box b, struct metrics m, struct body_items s, real nu, real *const vel[3],
                             int keep, double a, double a_old, double *before, double *total)
{
    const ptrdiff_t n = body_stress_values(s);
    if (n == 0) return KOL_OK;
    stress_rates_kernel<<<stress_blocks(n), STRESS_THREADS, 0, queue_stream()>>>(
        b, m, s, nu, vel[X], vel[Y], vel[Z], keep, a, a_old, before, total);
    CUDA_LAUNCHED("body_stress_rates");
    return KOL_OK;
}

static __global__ void __launch_bounds__(STRESS_THREADS)
    stress_drag_kernel(struct box b, struct metrics m, const __grid_constant__ struct body_links links,
                       struct body_points x, struct body_points y, struct body_points z, real dts,
                       const real *u, const real *v, const real *w, double *total)
{
    const ptrdiff_t n = stress_item();
    if (n >= links.n) return;
    const struct body_link link = point_link_at(links, (int)n);
    total[n] += point_link_drag(b, m, link, point_link_points(link.d, x, y, z), dts,
                                point_body_field(link.d, u, v, w));
}

kol_status body_stress_drag(struct box b, struct metrics m, struct body_items s,
                            const struct body_points points[3], real dts, real *const vel[3], double *total)
{
    if (s.links.n == 0) return KOL_OK;
    stress_drag_kernel<<<stress_blocks(s.links.n), STRESS_THREADS, 0, queue_stream()>>>(
        b, m, s.links, points[X], points[Y], points[Z], dts, vel[X], vel[Y], vel[Z], total);
    CUDA_LAUNCHED("body_stress_drag");
    return KOL_OK;
}

static __global__ void __launch_bounds__(STRESS_THREADS)
    stress_pressure_kernel(struct box b, struct body_items s, real dts, const real *p, const real *phi,
                           double *total)
{
    const ptrdiff_t n = stress_item();
    if (n >= s.fronts) return;
    double *side = total + s.links.n + 2 * n;
    side[0] += (double)dts * point_front_low(b, s.front[n], p, phi);
    side[1] += (double)dts * point_front_high(s.front[n], p, phi);
}

kol_status body_stress_pressure(struct box b, struct body_items s, real dts, const real *p, const real *phi,
                                double *total)
{
    if (s.fronts == 0) return KOL_OK;
    stress_pressure_kernel<<<stress_blocks(s.fronts), STRESS_THREADS, 0, queue_stream()>>>(b, s, dts, p, phi,
                                                                                           total);
    CUDA_LAUNCHED("body_stress_pressure");
    return KOL_OK;
}

static __global__ void __launch_bounds__(STRESS_THREADS)
    stress_sum_kernel(ptrdiff_t n, const double *total, double *sum)
{
    const ptrdiff_t i = stress_item();
    if (i < n) sum[i] += total[i];
}

kol_status body_stress_sum(ptrdiff_t n, const double *total, double *sum)
{
    if (n == 0) return KOL_OK;
    stress_sum_kernel<<<stress_blocks(n), STRESS_THREADS, 0, queue_stream()>>>(n, total, sum);
    CUDA_LAUNCHED("body_stress_sum");
    return KOL_OK;
}
