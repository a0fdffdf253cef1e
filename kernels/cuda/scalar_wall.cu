/* Computes the diffusion between cells and the bodies beside them that hold the value of a scalar. */
#include "../scalar_wall.h"
#include "../point/scalar_wall.h"
#include "body_points.cuh"
#include "check.cuh"
#include "queue.cuh"

/* wall_arrays: the arrays of scalar_wall_stage(), by value. */
struct wall_arrays {
    const real *u, *v, *w;
    const real *theta[SCALARS_KERNEL], *base[SCALARS_KERNEL];
    real *old[SCALARS_KERNEL], *out[SCALARS_KERNEL];
};

/* blockIdx.y: the scalar. */
static __global__ void __launch_bounds__(POINT_THREADS)
    stage_kernel(struct box b, struct metrics m, const __grid_constant__ struct scalar_walls w,
                 const __grid_constant__ struct scalar_stage s,
                 const __grid_constant__ struct scalar_wall_values v, real dts,
                 const __grid_constant__ struct wall_arrays a)
{
    const int point = point_number(), n = (int)blockIdx.y;
    if (point >= w.points) return;
    point_scalar_wall_point(b, m, &w, &s, &v, n, point, dts, a.u, a.v, a.w, a.theta[n], a.base[n], a.old[n],
                            a.out[n]);
}

kol_status scalar_wall_stage(struct box b, struct metrics m, const struct scalar_walls *w,
                             const struct scalar_stage *s, const struct scalar_wall_values *v, real dts,
                             real *const vel[3], real *const *theta, real *const *base, real *const *old,
                             real *const *out)
{
    if (w->points == 0) return KOL_OK;
    struct wall_arrays a = {};
    a.u = vel[X];
    a.v = vel[Y];
    a.w = vel[Z];
    for (int n = 0; n < s->count; ++n) {
        a.theta[n] = theta[n];
        a.base[n] = base[n];
        a.old[n] = old != NULL ? old[n] : NULL;
        a.out[n] = out[n];
    }
    stage_kernel<<<dim3(point_blocks(w->points), (unsigned)s->count), POINT_THREADS, 0, queue_stream()>>>(
        b, m, *w, *s, *v, dts, a);
    CUDA_LAUNCHED("scalar_wall_stage");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    scatter_kernel(struct box b, struct metrics m, struct blocks bl,
                   const __grid_constant__ struct scalar_walls w, const real *wall, const real *theta)
{
    double sum = 0;
    for (int n = w.block[blockIdx.x] + (int)threadIdx.x; n < w.block[blockIdx.x + 1]; n += POINT_THREADS)
        sum += point_scalar_wall_scatter(b, m, &w, n, wall, theta);
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status scalar_wall_scatter(struct box b, struct metrics m, struct blocks bl, const struct scalar_walls *w,
                               const real *wall, const real *theta)
{
    scatter_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(b, m, bl, *w, wall,
                                                                                     theta);
    CUDA_LAUNCHED("scalar_wall_scatter");
    return KOL_OK;
}

enum { SUM_SEGMENTS = POINT_THREADS / PIECE_WARP };

/* A warp takes one segment, and adds up its values by a tree. */
static __global__ void __launch_bounds__(POINT_THREADS)
    sum_kernel(int segments, const int *start, const int *link, const double *value, double *sum)
{
    const int s = (int)blockIdx.x * SUM_SEGMENTS + (int)threadIdx.x / PIECE_WARP,
              lane = (int)threadIdx.x % PIECE_WARP;
    double all = 0;
    if (s >= segments) return;
    for (int n = start[s] + lane; n < start[s + 1]; n += PIECE_WARP) all += value[link[n]];
#pragma unroll
    for (int half = PIECE_WARP / 2; half > 0; half /= 2)
        all += __shfl_down_sync(0xffffffffu, all, (unsigned)half);
    if (lane == 0) sum[s] = all;
}

kol_status scalar_wall_sum(int segments, const int *start, const int *link, const double *value, double *sum)
{
    if (segments == 0) return KOL_OK;
    sum_kernel<<<(unsigned)((segments + SUM_SEGMENTS - 1) / SUM_SEGMENTS), POINT_THREADS, 0,
                 queue_stream()>>>(segments, start, link, value, sum);
    CUDA_LAUNCHED("scalar_wall_sum");
    return KOL_OK;
}
