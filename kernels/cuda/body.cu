/* Holds the faces in bodies, and computes the viscous stress beside their surface. */
#include "../body.h"
#include "../point/body.h"
#include "body_points.cuh"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

static __global__ void __launch_bounds__(TILE_MOST)
    hold_kernel(struct box b, int planes, const unsigned char *open, real *u, real *v, real *w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    for (int k = t.z0; k < t.z1; ++k) {
        const ptrdiff_t o = at(b, t.i, t.j, k);
        const unsigned char mask = open[o];
        if (!point_body_open(mask, X)) u[o] = 0;
        if (!point_body_open(mask, Y)) v[o] = 0;
        if (!point_body_open(mask, Z)) w[o] = 0;
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
    const struct shape s = TILE_PLAIN;
    hold_kernel<<<tile_grid(b, s), tile_threads(s), 0, queue_stream()>>>(b, s.z, open, vel[X], vel[Y],
                                                                         vel[Z]);
    CUDA_LAUNCHED("body_hold");
    for (int d = 0; d < 3; ++d) {
        if (held[d].n == 0) continue;
        held_kernel<<<point_blocks(held[d].n), POINT_THREADS, 0, queue_stream()>>>(held[d], vel[d]);
        CUDA_LAUNCHED("body_hold, moving surfaces");
    }
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    extra_kernel(struct box b, struct metrics m, struct body_points points, int d, real nu, real a,
                 const real *vel, const real *base, real *old, real *out)
{
    const int n = point_number();
    if (n >= points.n) return;
    const int o = points.point[n].at;
    const real extra = point_body_extra(b, m, points, n, d, nu, vel);
    points.base[n] = base[o];
    out[o] += a * extra;
    if (old != NULL) old[o] += extra;
}

kol_status body_extra(struct box b, struct metrics m, struct body_points points, int d, real nu, real a,
                      const real *vel, const real *base, real *old, real *out)
{
    if (points.n == 0) return KOL_OK;
    extra_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(b, m, points, d, nu, a, vel,
                                                                               base, old, out);
    CUDA_LAUNCHED("body_extra");
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
    lead_kernel(struct box b, struct metrics m, struct body_points points, int d, real dts, const real *p,
                real *out)
{
    const int n = point_number();
    if (n >= points.n) return;
    const real lead = point_body_lead(b, m, points, n, d, dts, p);
    points.lead[n] = lead;
    out[points.point[n].at] += lead;
}

kol_status body_lead(struct box b, struct metrics m, struct body_points points, int d, real dts,
                     const real *p, real *out)
{
    if (points.n == 0) return KOL_OK;
    lead_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(b, m, points, d, dts, p, out);
    CUDA_LAUNCHED("body_lead");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    drag_kernel(struct body_points points, real dts, real *u)
{
    const int n = point_number();
    if (n >= points.n) return;
    const int o = points.point[n].at;
    u[o] = point_body_drag(points, n, dts, u[o]);
}

kol_status body_drag(struct body_points points, real dts, real *u)
{
    if (points.n == 0) return KOL_OK;
    drag_kernel<<<point_blocks(points.n), POINT_THREADS, 0, queue_stream()>>>(points, dts, u);
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
