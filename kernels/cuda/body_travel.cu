/* Changes the mask, the pressure and the momentum where bodies travel. A thread takes an entry of a list; of
 * the sums, a warp takes a segment. */
#include "../body_travel.h"
#include "../point/body_travel.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"

enum { LIST_THREADS = 128, TURN_THREADS = 128, TURN_SEGMENTS = TURN_THREADS / PIECE_WARP };

static unsigned list_blocks(int n)
{
    return (unsigned)((n + LIST_THREADS - 1) / LIST_THREADS);
}

__device__ __forceinline__ int list_number(void)
{
    return (int)(blockIdx.x * LIST_THREADS + threadIdx.x);
}

static __global__ void __launch_bounds__(LIST_THREADS)
    change_kernel(int n, const int *at, const unsigned char *value, unsigned char *open)
{
    const int i = list_number();
    if (i < n) open[at[i]] = value[i];
}

kol_status body_mask_change(int n, const int *at, const unsigned char *value, unsigned char *open)
{
    if (n == 0) return KOL_OK;
    change_kernel<<<list_blocks(n), LIST_THREADS, 0, queue_stream()>>>(n, at, value, open);
    CUDA_LAUNCHED("body_mask_change");
    return KOL_OK;
}

static __global__ void __launch_bounds__(LIST_THREADS)
    uncover_kernel(struct box b, int n, const struct body_uncovered *cell, real *p)
{
    const int i = list_number();
    if (i < n) p[cell[i].at] = point_uncovered(b, cell[i], p);
}

kol_status body_uncover(struct box b, int n, const struct body_uncovered *cell, real *p)
{
    if (n == 0) return KOL_OK;
    uncover_kernel<<<list_blocks(n), LIST_THREADS, 0, queue_stream()>>>(b, n, cell, p);
    CUDA_LAUNCHED("body_uncover");
    return KOL_OK;
}

static __global__ void __launch_bounds__(LIST_THREADS)
    forget_kernel(int n, const struct body_turn *turn, real *x, real *y, real *z)
{
    const int i = list_number();
    if (i >= n || turn[i].closes) return;
    (turn[i].d == X ? x : turn[i].d == Y ? y : z)[turn[i].at] = 0;
}

kol_status body_forget(int n, const struct body_turn *turn, real *const old[3])
{
    if (n == 0) return KOL_OK;
    forget_kernel<<<list_blocks(n), LIST_THREADS, 0, queue_stream()>>>(n, turn, old[X], old[Y], old[Z]);
    CUDA_LAUNCHED("body_forget");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TURN_THREADS)
    turns_kernel(struct box b, struct metrics m, int segments, const int *start, const struct body_turn *turn,
                 int keep, double a_old, const real *u, const real *v, const real *w, const real *old_u,
                 const real *old_v, const real *old_w, double *total)
{
    const int n = (int)blockIdx.x * TURN_SEGMENTS + (int)threadIdx.x / PIECE_WARP,
              lane = (int)threadIdx.x % PIECE_WARP;
    double sum[3] = {0, 0, 0};
    if (n >= segments) return;
    double *const out = total + (ptrdiff_t)n * BODY_FORCES;
    for (int q = lane; q < BODY_FORCES && !keep; q += PIECE_WARP) out[q] = 0;
    for (int i = start[n] + lane; i < start[n + 1]; i += PIECE_WARP) {
        const struct body_turn t = turn[i];
        sum[(int)t.d] += point_body_turn(b, m, t, a_old,
                                         t.d == X   ? u
                                         : t.d == Y ? v
                                                    : w,
                                         t.d == X   ? old_u
                                         : t.d == Y ? old_v
                                                    : old_w);
    }
    __syncwarp();
    for (int d = 0; d < 3; ++d) {
        double v_sum = sum[d];
#pragma unroll
        for (int half = PIECE_WARP / 2; half > 0; half /= 2)
            v_sum += __shfl_down_sync(0xffffffffu, v_sum, (unsigned)half);
        if (lane == 0) out[BODY_OPENING + d] += v_sum;
    }
}

kol_status body_force_turns(struct box b, struct metrics m, int segments, const int *start,
                            const struct body_turn *turn, int keep, double a_old, real *const base[3],
                            real *const old[3], double *total)
{
    if (segments == 0) return KOL_OK;
    real *const *const rates = a_old != 0 ? old : base;
    turns_kernel<<<(unsigned)((segments + TURN_SEGMENTS - 1) / TURN_SEGMENTS), TURN_THREADS, 0,
                   queue_stream()>>>(b, m, segments, start, turn, keep, a_old, base[X], base[Y], base[Z],
                                     rates[X], rates[Y], rates[Z], total);
    CUDA_LAUNCHED("body_force_turns");
    return KOL_OK;
}
