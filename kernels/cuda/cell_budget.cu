/* Adds samples of what changes the Reynolds stresses to sums in every cell. */
#include "../cell_budget.h"
#include "../point/cell_budget.h"
#include "check.cuh"
#include "queue.cuh"

/* The file is compiled without contraction, so it has the same bits as the CPU build. Each thread takes one
 * cell. Threads are numbered side by side in x, then y, then z. */
enum { BUDGET_THREADS = 128 };

static unsigned budget_blocks(ptrdiff_t cells)
{
    return (unsigned)((cells + BUDGET_THREADS - 1) / BUDGET_THREADS);
}

/* Adds the values of cell n to their sums, and keeps them. solid: they count as 0. */
template <int COUNT>
static __device__ __forceinline__ void add(const real *value, int solid, struct cell_average_weights by,
                                           ptrdiff_t n, ptrdiff_t cells, real *latest, double *sum,
                                           double *before)
{
#pragma unroll
    for (int q = 0; q < COUNT; ++q) {
        const ptrdiff_t to = q * cells + n;
        if (by.latest != 0) before[to] = point_cell_sum(before[to], 0, by.latest, latest[to], 1);
        const real now = solid ? 0 : value[q];
        latest[to] = now;
        sum[to] = point_cell_sum(by.fresh ? 0 : sum[to], by.fresh, by.sample, now, 1);
    }
}

static __global__ void __launch_bounds__(BUDGET_THREADS)
    rate_kernel(struct box b, ptrdiff_t cells, const unsigned char *open, unsigned walls,
                struct cell_average_weights by, const real *u, const real *v, const real *w, const real *ru,
                const real *rv, const real *rw, real *latest, double *sum, double *before)
{
    const ptrdiff_t n = (ptrdiff_t)blockIdx.x * BUDGET_THREADS + threadIdx.x;
    if (n >= cells) return;
    const int i = (int)(n % b.nx), j = (int)(n / b.nx % b.ny), k = (int)(n / b.nx / b.ny);
    const ptrdiff_t o = at(b, i, j, k);
    real value[CELL_RATE_VALUES];
    point_budget_rate(b, open, point_cell_walls(b, walls, i, j, k), u, v, w, ru, rv, rw, o, value);
    add<CELL_RATE_VALUES>(value, point_cell_solid(open, o), by, n, cells, latest, sum, before);
}

static __global__ void __launch_bounds__(BUDGET_THREADS)
    flow_kernel(struct box b, ptrdiff_t cells, const unsigned char *open, struct cell_average_weights by,
                struct metrics m, real nu, const real *u, const real *v, const real *w, const real *p,
                real *latest, double *sum, double *before)
{
    const ptrdiff_t n = (ptrdiff_t)blockIdx.x * BUDGET_THREADS + threadIdx.x;
    if (n >= cells) return;
    const int i = (int)(n % b.nx), j = (int)(n / b.nx % b.ny), k = (int)(n / b.nx / b.ny);
    const ptrdiff_t o = at(b, i, j, k);
    real value[CELL_FLOW_VALUES];
    point_budget_flow(b, m, nu, u, v, w, p, o, i, j, k, value);
    add<CELL_FLOW_VALUES>(value, point_cell_solid(open, o), by, n, cells, latest, sum, before);
}

kol_status cell_budget_rate(struct box b, const unsigned char *open, unsigned walls,
                            struct cell_average_weights by, real *const vel[3], real *const rate[3],
                            real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    if (cells <= 0) return KOL_OK;
    rate_kernel<<<budget_blocks(cells), BUDGET_THREADS, 0, queue_stream()>>>(
        b, cells, open, walls, by, vel[X], vel[Y], vel[Z], rate[X], rate[Y], rate[Z], latest, sum, before);
    CUDA_LAUNCHED("cell_budget_rate");
    return KOL_OK;
}

kol_status cell_budget_flow(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    if (cells <= 0) return KOL_OK;
    flow_kernel<<<budget_blocks(cells), BUDGET_THREADS, 0, queue_stream()>>>(
        b, cells, open, by, f.m, f.nu, f.vel[X], f.vel[Y], f.vel[Z], f.p, latest, sum, before);
    CUDA_LAUNCHED("cell_budget_flow");
    return KOL_OK;
}
