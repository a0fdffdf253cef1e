/* Adds samples of velocity, pressure and their products to sums in every cell. */
#include "../cell_average.h"
#include "../point/cell_average.h"
#include "check.cuh"
#include "queue.cuh"

/* The file is compiled without contraction, so it has the same bits as the CPU build. */
enum { CELL_THREADS = 256 };

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
    point_cell_add(b, open, by, u, v, w, p, n, cells, at(b, i, j, k), latest, sum, before);
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
