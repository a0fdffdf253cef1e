/* Holds the faces in bodies, and computes the viscous stress beside their surface. */
#include "../body.h"
#include "../point/body.h"
#include "body_points.cuh"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* HOLD: the tile of a thread block. A thread reads the bytes of all its planes before it writes, because it
 * can't read past a write to what may be the same memory. */
enum { HOLD_X = 64, HOLD_Y = 4, HOLD_PLANES = 8 };

static __global__ void __launch_bounds__(HOLD_X *HOLD_Y)
    hold_kernel(struct box b, const unsigned char *KOL_RESTRICT open, real *KOL_RESTRICT u,
                real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, HOLD_PLANES);
    const ptrdiff_t first = at(b, t.i, t.j, t.z0);
    const unsigned char all = 0xff;
    unsigned char mask[HOLD_PLANES];
    if (!t.own) return;
#pragma unroll
    for (int n = 0; n < HOLD_PLANES; ++n) mask[n] = t.z0 + n < t.z1 ? open[first + n * b.sz] : all;
#pragma unroll
    for (int n = 0; n < HOLD_PLANES; ++n) {
        const ptrdiff_t o = first + n * b.sz;
        if (!point_body_open(mask[n], X)) u[o] = 0;
        if (!point_body_open(mask[n], Y)) v[o] = 0;
        if (!point_body_open(mask[n], Z)) w[o] = 0;
    }
}

static __global__ void __launch_bounds__(POINT_THREADS) held_kernel(struct body_held held, real *u)
{
    const int n = point_number();
    if (n < held.n) u[held.at[n]] = held.value[n];
}

kol_status body_hold(struct box b, const unsigned char *open, const struct body_held held[3],
                     real *const vel[3])
{
    const struct shape s = {HOLD_X, HOLD_Y, HOLD_PLANES};
    if (open != NULL) {
        hold_kernel<<<tile_grid(b, s), tile_threads(s), 0, queue_stream()>>>(b, open, vel[X], vel[Y], vel[Z]);
        CUDA_LAUNCHED("body_hold");
    }
    for (int d = 0; d < 3; ++d) {
        if (held[d].n == 0) continue;
        held_kernel<<<point_blocks(held[d].n), POINT_THREADS, 0, queue_stream()>>>(held[d], vel[d]);
        CUDA_LAUNCHED("body_hold, moving surfaces");
    }
    return KOL_OK;
}

/* all_points: the points of the three components: a row of thread blocks takes those of one. fields: an array
 * of each, or NULL. */
struct all_points {
    struct body_points of[3];
};
struct fields {
    real *of[3];
};

static struct all_points all_of(const struct body_points points[3])
{
    const struct all_points a = {{points[X], points[Y], points[Z]}};
    return a;
}

static struct fields fields_of(real *const *a)
{
    struct fields f = {};
    for (int d = 0; d < 3 && a != NULL; ++d) f.of[d] = a[d];
    return f;
}

/* The launch; no blocks if there are no points. */
static dim3 all_blocks(const struct body_points points[3])
{
    int most = 0;
    for (int d = 0; d < 3; ++d) most = points[d].n > most ? points[d].n : most;
    return dim3(point_blocks(most), 3);
}

static __global__ void __launch_bounds__(POINT_THREADS)
    extra_kernel(struct box b, struct metrics m, const __grid_constant__ struct all_points points,
                 const __grid_constant__ struct body_stage stage, const __grid_constant__ struct fields vel,
                 const __grid_constant__ struct fields base, const __grid_constant__ struct fields old,
                 const __grid_constant__ struct fields out)
{
    const int n = point_number(), d = (int)blockIdx.y;
    if (n >= points.of[d].n) return;
    point_body_predict(b, m, points.of[d], n, d, stage, vel.of[d], base.of[d], old.of[d], out.of[d]);
}

kol_status body_extra(struct box b, struct metrics m, const struct body_points points[3],
                      struct body_stage stage, real *const vel[3], real *const base[3], real *const *old,
                      real *const out[3])
{
    const dim3 blocks = all_blocks(points);
    if (blocks.x == 0) return KOL_OK;
    extra_kernel<<<blocks, POINT_THREADS, 0, queue_stream()>>>(
        b, m, all_of(points), stage, fields_of(vel), fields_of(base), fields_of(old), fields_of(out));
    CUDA_LAUNCHED("body_extra");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    begin_kernel(struct box b, struct metrics m, const __grid_constant__ struct all_points points,
                 const real *p)
{
    const int n = point_number(), d = (int)blockIdx.y;
    if (n < points.of[d].n) points.of[d].lead[n] = point_body_gradient(b, m, points.of[d], n, d, p);
}

kol_status body_extra_begin(struct box b, struct metrics m, const struct body_points points[3], const real *p)
{
    const dim3 blocks = all_blocks(points);
    if (blocks.x == 0) return KOL_OK;
    begin_kernel<<<blocks, POINT_THREADS, 0, queue_stream()>>>(b, m, all_of(points), p);
    CUDA_LAUNCHED("body_extra_begin");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    rate_kernel(struct box b, struct metrics m, struct body_points points, int d, real nu, real dt,
                const real *vel, real *rate)
{
    const int n = point_number();
    if (n >= points.n) return;
    const int o = points.point[n].at;
    rate[o] = point_body_rate(b, m, points, n, d, nu, dt, vel, rate[o]);
}

kol_status body_rate(struct box b, struct metrics m, struct body_points points, int d, real nu, real dt,
                     const real *vel, real *rate)
{
    if (points.n == 0) return KOL_OK;
    rate_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(b, m, points, d, nu, dt, vel,
                                                                              rate);
    CUDA_LAUNCHED("body_rate");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    drag_kernel(const __grid_constant__ struct all_points points, real dts,
                const __grid_constant__ struct fields u)
{
    const int n = point_number(), d = (int)blockIdx.y;
    if (n >= points.of[d].n) return;
    const int o = points.of[d].point[n].at;
    u.of[d][o] = point_body_drag(points.of[d], n, dts, u.of[d][o]);
}

kol_status body_drag(const struct body_points points[3], real dts, real *const u[3])
{
    const dim3 blocks = all_blocks(points);
    if (blocks.x == 0) return KOL_OK;
    drag_kernel<<<blocks, POINT_THREADS, 0, queue_stream()>>>(all_of(points), dts, fields_of(u));
    CUDA_LAUNCHED("body_drag");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_MOST)
    push_kernel(struct box b, int planes, const unsigned char *open, int d, real shift, real *u)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    for (int k = t.z0; k < t.z1; ++k) {
        const ptrdiff_t o = at(b, t.i, t.j, k);
        if (point_body_open(open[o], d)) u[o] += shift;
    }
}

static __global__ void __launch_bounds__(POINT_THREADS)
    pull_kernel(struct body_points points, real dts, real shift, real *u)
{
    const int n = point_number();
    if (n >= points.n) return;
    u[points.point[n].at] -= shift * (1 - point_body_left(points.point[n], dts));
}

kol_status body_push(struct box b, const unsigned char *open, struct body_points points, int d, real dts,
                     real shift, real *u)
{
    const struct shape s = TILE_PLAIN;
    push_kernel<<<tile_grid(b, s), tile_threads(s), 0, queue_stream()>>>(b, s.z, open, d, shift, u);
    CUDA_LAUNCHED("body_push");
    if (points.n == 0) return KOL_OK;
    pull_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(points, dts, shift, u);
    CUDA_LAUNCHED("body_push, beside walls");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    gather_kernel(struct box b, struct metrics m, struct body_points points, int d, const real *x,
                  real *value)
{
    const int n = point_number();
    if (n < points.n) value[n] = point_body_gradient(b, m, points, n, d, x);
}

kol_status body_gather(struct box b, struct metrics m, struct body_points points, int d, const real *x,
                       real *value)
{
    if (points.n == 0) return KOL_OK;
    gather_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(b, m, points, d, x, value);
    CUDA_LAUNCHED("body_gather");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    response_kernel(struct box b, struct metrics m, struct blocks bl, struct body_points points, int d,
                    real dts, const real *gradient)
{
    double sum = 0;
    for (int n = points.block[blockIdx.x] + (int)threadIdx.x; n < points.block[blockIdx.x + 1];
         n += POINT_THREADS)
        sum += point_body_response(b, m, points, n, d, dts, gradient);
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_response(struct box b, struct metrics m, struct blocks bl, struct body_points points, int d,
                         real dts, const real *gradient)
{
    response_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(b, m, bl, points, d,
                                                                                      dts, gradient);
    CUDA_LAUNCHED("body_response");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    loss_kernel(struct box b, struct metrics m, struct blocks bl, struct body_points x, struct body_points y,
                struct body_points z, real nu, const real *u, const real *v, const real *w)
{
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const struct body_points points = d == X ? x : d == Y ? y : z;
        for (int n = points.block[blockIdx.x] + (int)threadIdx.x; n < points.block[blockIdx.x + 1];
             n += POINT_THREADS)
            sum += point_body_loss(b, m, points, n, d, nu, u, v, w);
    }
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_loss(struct box b, struct metrics m, struct blocks bl, const struct body_points points[3],
                     real nu, real *const vel[3])
{
    loss_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(
        b, m, bl, points[X], points[Y], points[Z], nu, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("body_loss");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    work_kernel(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                struct body_held x, struct body_held y, struct body_held z, real nu, const real *p,
                const real *u, const real *v, const real *w)
{
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const struct body_held held = d == X ? x : d == Y ? y : z;
        const real *const field = d == X ? u : d == Y ? v : w;
        for (int n = held.block[blockIdx.x] + (int)threadIdx.x; n < held.block[blockIdx.x + 1];
             n += POINT_THREADS)
            sum += point_body_work(b, m, open, held.at[n], d, nu, p, field);
    }
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_work(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                     const struct body_held held[3], real nu, const real *p, real *const vel[3])
{
    work_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(
        b, m, bl, open, held[X], held[Y], held[Z], nu, p, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("body_work");
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECES_MOST *PIECE_THREADS)
    mean_kernel(struct box b, struct stencil s, struct metrics m, struct blocks bl,
                const __grid_constant__ struct march march, int d, const real *KOL_RESTRICT x,
                const real *KOL_RESTRICT u, const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    ptrdiff_t o = at(b, i, j, t.z0);
    sum_march<1, 0>(bl, march, t, [&](int k, double *part) {
        if (t.own)
            part[0] +=
                point_body_mean(s, m, d, i, j, k, x[o], x[o - 1], x[o - b.sy], x[o - b.sz], u[o], v[o], w[o]);
        o += b.sz;
    });
}

kol_status body_mean(struct box b, struct stencil s, struct metrics m, struct blocks bl, int d, const real *x,
                     real *const vel[3])
{
    const struct march march = march_make(bl, TUNE_START);
    mean_kernel<<<march.grid, (unsigned)(march.side * PIECE_THREADS), 0, queue_stream()>>>(
        b, s, m, bl, march, d, x, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("body_mean");
    return KOL_OK;
}
