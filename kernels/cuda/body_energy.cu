/* Adds up the work on the fluid beside bodies that travel. A thread takes a face of a list. */
#include "../body_energy.h"
#include "../point/body_energy.h"
#include "body_points.cuh"
#include "check.cuh"
#include "queue.cuh"

/* lists: of the three components. */
struct point_lists {
    struct body_points of[3];
};
struct held_lists {
    struct body_held of[3];
};

static struct point_lists point_lists_of(const struct body_points points[3])
{
    struct point_lists l;
    for (int d = 0; d < 3; ++d) l.of[d] = points[d];
    return l;
}

static struct held_lists held_lists_of(const struct body_held held[3])
{
    struct held_lists l;
    for (int d = 0; d < 3; ++d) l.of[d] = held[d];
    return l;
}

static __global__ void __launch_bounds__(POINT_THREADS) keep_kernel(struct body_held held, const real *base)
{
    const int n = point_number();
    if (n < held.n) held.base[n] = base[held.at[n]];
}

kol_status body_energy_keep(const struct body_held held[3], real *const base[3])
{
    for (int d = 0; d < 3; ++d) {
        if (held[d].n == 0) continue;
        keep_kernel<<<point_blocks(held[d].n), POINT_THREADS, 0, queue_stream()>>>(held[d], base[d]);
        CUDA_LAUNCHED("body_energy_keep");
    }
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    rates_kernel(struct box b, struct metrics m, struct blocks bl,
                 const __grid_constant__ struct point_lists p, const __grid_constant__ struct held_lists h,
                 const __grid_constant__ struct stage s, const real *u, const real *v, const real *w)
{
    const int q = (int)blockIdx.x, first = (int)threadIdx.x;
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const real *const own = d == X ? u : d == Y ? v : w;
        for (int n = p.of[d].block[q] + first; n < p.of[d].block[q + 1]; n += POINT_THREADS)
            sum += point_energy_extra(b, m, p.of[d], n, d, s.nu, own);
        for (int n = h.of[d].block[q] + first; n < h.of[d].block[q + 1]; n += POINT_THREADS)
            sum += point_energy_closed(b, m, h.of[d].at[n], d, s, u, v, w);
    }
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_energy_rates(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct stage s, real *const vel[3])
{
    rates_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(
        b, m, bl, point_lists_of(points), held_lists_of(held), s, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("body_energy_rates");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    turns_kernel(struct box b, struct metrics m, struct blocks bl, struct body_turns turns, const real *u,
                 const real *v, const real *w, const real *old_u, const real *old_v, const real *old_w)
{
    const int q = (int)blockIdx.x;
    double sum = 0;
    for (int n = turns.block[q] + (int)threadIdx.x; n < turns.block[q + 1]; n += POINT_THREADS) {
        const struct body_turn t = turns.turn[n];
        sum += point_energy_turn(b, m, t,
                                 t.d == X   ? u
                                 : t.d == Y ? v
                                            : w,
                                 t.d == X   ? old_u
                                 : t.d == Y ? old_v
                                            : old_w);
    }
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_energy_turns(struct box b, struct metrics m, struct blocks bl, struct body_turns turns,
                             real *const base[3], real *const old[3])
{
    turns_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(
        b, m, bl, turns, base[X], base[Y], base[Z], old[X], old[Y], old[Z]);
    CUDA_LAUNCHED("body_energy_turns");
    return KOL_OK;
}

static __global__ void __launch_bounds__(POINT_THREADS)
    stage_kernel(struct box b, struct metrics m, struct blocks bl,
                 const __grid_constant__ struct point_lists l, const __grid_constant__ struct held_lists h,
                 const __grid_constant__ struct body_impulse s, const real *p, const real *phi, const real *u,
                 const real *v, const real *w)
{
    const int q = (int)blockIdx.x, first = (int)threadIdx.x;
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const real *const own = d == X ? u : d == Y ? v : w;
        for (int n = l.of[d].block[q] + first; n < l.of[d].block[q + 1]; n += POINT_THREADS)
            sum += point_energy_drag(b, m, l.of[d], n, d, s.dts, phi, own);
        for (int n = h.of[d].block[q] + first; n < h.of[d].block[q + 1]; n += POINT_THREADS)
            sum += point_energy_held(b, m, h.of[d], n, d, s, p, phi);
    }
    leave_sum(bl, pieces_make(bl), sum);
}

kol_status body_energy_stage(struct box b, struct metrics m, struct blocks bl,
                             const struct body_points points[3], const struct body_held held[3],
                             struct body_impulse s, const real *p, const real *phi, real *const vel[3])
{
    stage_kernel<<<(unsigned)blocks_count(bl), POINT_THREADS, 0, queue_stream()>>>(
        b, m, bl, point_lists_of(points), held_lists_of(held), s, p, phi, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("body_energy_stage");
    return KOL_OK;
}
