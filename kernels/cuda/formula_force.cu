/* Adds a force by formulas, and sums its power. */
#include "../formula_force.h"
#include "../point/formula_force.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"
#include "tile.cuh"

static __global__ void __launch_bounds__(TILE_MOST)
    apply_kernel(struct box b, const __grid_constant__ struct formula_field f, int planes, int d, real a,
                 real *vel, real *old)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        if (!point_formula_acts(b, &f, d, t.i, t.j, k)) continue;
        const real force = (real)point_formula_force(&f, d, t.i, t.j, k);
        vel[o] += a * force;
        if (old != NULL) old[o] += force;
    }
}

kol_status formula_force_apply(struct box b, const struct formula_field *f, real a, real *const vel[3],
                               real *const old[3])
{
    for (int d = 0; d < 3; ++d) {
        if (f->count[d] == 0) continue;
        apply_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
            b, *f, TILE_PLAIN.z, d, a, vel[d], old != NULL ? old[d] : NULL);
        CUDA_LAUNCHED("formula_force_apply");
    }
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    power_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                 const __grid_constant__ struct formula_field f, const real *KOL_RESTRICT u,
                 const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const struct tile t = tile_of(bl, march);
    sum_march<1, 0>(bl, march, t, [&](int k, double *part) {
        double force[3] = {0, 0, 0};
        if (!t.own) return;
#pragma unroll
        for (int d = 0; d < 3; ++d)
            if (point_formula_acts(b, &f, d, t.i, t.j, k)) force[d] = point_formula_force(&f, d, t.i, t.j, k);
        part[0] += point_formula_power(b, m, &f, u, v, w, force, t.i, t.j, k);
    });
}

kol_status formula_force_power(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f, real *const vel[3])
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "formula_force_power: no launch has %d pieces side by side", march.side);
    power_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, *f, vel[X], vel[Y],
                                                                   vel[Z]);
    CUDA_LAUNCHED("formula_force_power");
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    total_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                 const __grid_constant__ struct formula_field f)
{
    const struct tile t = tile_of(bl, march);
    sum_march<3, 0>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
#pragma unroll
        for (int d = 0; d < 3; ++d)
            if (point_formula_acts(b, &f, d, t.i, t.j, k))
                part[d] +=
                    point_formula_force(&f, d, t.i, t.j, k) * point_formula_volume(m, &f, d, t.i, t.j, k);
    });
}

kol_status formula_force_total(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f)
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "formula_force_total: no launch has %d pieces side by side", march.side);
    total_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, *f);
    CUDA_LAUNCHED("formula_force_total");
    return KOL_OK;
}
