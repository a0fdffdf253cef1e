/* Adds samples of velocity, pressure and their products to sums in every cell. */
#include "../cell_average.h"
#include "../point/cell_average.h"
#include "check.cuh"
#include "queue.cuh"

/* The file is compiled without contraction, so it has the same bits as the CPU build. */
enum { CELL_THREADS = 256 };

/* Adds the weighted products of the values of cell n to its sums. */
static __device__ __forceinline__ void add_products(const double value[CELL_FACTORS], int fresh,
                                                    double weight, ptrdiff_t cells, double *sum)
{
#pragma unroll
    for (int q = 0; q < CELL_AVERAGE_SUMS; ++q)
        sum[q * cells] = point_cell_sum(fresh ? 0 : sum[q * cells], fresh, weight, value[point_cell_first(q)],
                                        value[point_cell_second(q)]);
}

/* scalars_of: the scalars of a call, for the kernel, and whether cells turn. */
struct scalars_of {
    int count, turns;
    const real *theta[CELL_SCALARS_MOST];
};

/* Does the same with the products of scalar n, whose value is t. */
static __device__ __forceinline__ void add_scalar(const double value[CELL_FACTORS], int n, double t,
                                                  int fresh, double weight, ptrdiff_t cells, double *sum)
{
    const double first[CELL_SCALAR_SUMS] = {t, t, value[X], value[Y], value[Z]};
    double *const own = sum + (CELL_AVERAGE_SUMS + n * CELL_SCALAR_SUMS) * cells;
#pragma unroll
    for (int q = 0; q < CELL_SCALAR_SUMS; ++q)
        own[q * cells] =
            point_cell_sum(fresh ? 0 : own[q * cells], fresh, weight, first[q], q == CELL_T ? 1 : t);
}

/* Adds the weight of a cell that turns; fluid: 1 in the fluid, 0 in a solid. */
static __device__ __forceinline__ void add_fluid(int scalars, double fluid, int fresh, double weight,
                                                 ptrdiff_t cells, double *sum)
{
    double *const own = sum + cell_average_fluid(scalars) * cells;
    *own = point_cell_sum(fresh ? 0 : *own, fresh, weight, fluid, 1);
}

/* Each thread takes one cell. Threads are numbered side by side in x, then y, then z. */
static __global__ void __launch_bounds__(CELL_THREADS)
    add_kernel(struct box b, ptrdiff_t cells, const unsigned char *__restrict__ open,
               struct cell_average_weights by, struct metrics m, real nu, const real *__restrict__ u,
               const real *__restrict__ v, const real *__restrict__ w, const real *__restrict__ p,
               const struct scalars_of s, real *latest, double *sum, double *before)
{
    const ptrdiff_t n = (ptrdiff_t)blockIdx.x * CELL_THREADS + threadIdx.x;
    if (n >= cells) return;
    const int i = (int)(n % b.nx), j = (int)(n / b.nx % b.ny), k = (int)(n / b.nx / b.ny);
    const ptrdiff_t o = at(b, i, j, k);
    double value[CELL_FACTORS];
    value[CELL_ONE] = 1;
    if (by.latest != 0) {
#pragma unroll
        for (int q = 0; q < CELL_AVERAGE_VALUES; ++q) value[q] = latest[q * cells + n];
        add_products(value, 0, by.latest, cells, before + n);
        for (int a = 0; a < s.count; ++a)
            add_scalar(value, a, latest[point_cell_scalar(a) * cells + n], 0, by.latest, cells, before + n);
        if (s.turns)
            add_fluid(s.count, latest[point_cell_scalar(s.count) * cells + n], 0, by.latest, cells,
                      before + n);
    }
    real now[CELL_AVERAGE_VALUES];
    point_cell_values(b, m, nu, u, v, w, p, o, i, j, k, now);
#pragma unroll
    for (int q = 0; q < CELL_AVERAGE_VALUES; ++q) {
        if (point_cell_solid(open, o)) now[q] = 0;
        value[q] = latest[q * cells + n] = now[q];
    }
    add_products(value, by.fresh, by.sample, cells, sum + n);
    for (int a = 0; a < s.count; ++a) {
        const real t = point_cell_solid(open, o) ? 0 : s.theta[a][o];
        latest[point_cell_scalar(a) * cells + n] = t;
        add_scalar(value, a, t, by.fresh, by.sample, cells, sum + n);
    }
    if (s.turns) {
        const real fluid = !point_cell_solid(open, o);
        latest[point_cell_scalar(s.count) * cells + n] = fluid;
        add_fluid(s.count, fluid, by.fresh, by.sample, cells, sum + n);
    }
}

kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before)
{
    struct scalars_of s = {f.scalars, f.turns, {}};
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    if (cells <= 0) return KOL_OK;
    for (int n = 0; n < f.scalars; ++n) s.theta[n] = f.theta[n];
    add_kernel<<<(unsigned)((cells + CELL_THREADS - 1) / CELL_THREADS), CELL_THREADS, 0, queue_stream()>>>(
        b, cells, open, by, f.m, f.nu, f.vel[X], f.vel[Y], f.vel[Z], f.p, s, latest, sum, before);
    CUDA_LAUNCHED("cell_average_add");
    return KOL_OK;
}
