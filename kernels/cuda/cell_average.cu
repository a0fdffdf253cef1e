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

/* Each thread takes one cell. Threads are numbered side by side in x, then y, then z. */
static __global__ void __launch_bounds__(CELL_THREADS)
    add_kernel(struct box b, ptrdiff_t cells, const unsigned char *__restrict__ open,
               struct cell_average_weights by, const real *__restrict__ u, const real *__restrict__ v,
               const real *__restrict__ w, const real *__restrict__ p, real *latest, double *sum,
               double *before)
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
    }
    real now[CELL_AVERAGE_VALUES];
    point_cell_values(b, u, v, w, p, o, now);
#pragma unroll
    for (int q = 0; q < CELL_AVERAGE_VALUES; ++q) {
        if (point_cell_solid(open, o)) now[q] = 0;
        value[q] = latest[q * cells + n] = now[q];
    }
    add_products(value, by.fresh, by.sample, cells, sum + n);
}

kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            real *const vel[3], const real *p, real *latest, double *sum, double *before)
{
    const ptrdiff_t cells = (ptrdiff_t)b.nx * b.ny * b.nz;
    if (cells <= 0) return KOL_OK;
    add_kernel<<<(unsigned)((cells + CELL_THREADS - 1) / CELL_THREADS), CELL_THREADS, 0, queue_stream()>>>(
        b, cells, open, by, vel[X], vel[Y], vel[Z], p, latest, sum, before);
    CUDA_LAUNCHED("cell_average_add");
    return KOL_OK;
}
