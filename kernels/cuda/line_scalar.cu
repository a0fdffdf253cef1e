/* Adds up a sample of a scalar along the homogeneous direction, at every place of the cross-section. */
#include "../point/line_scalar.h"
#include "check.cuh"
#include "queue.cuh"

enum { THREADS = 64, ROWS_MOST = 65535 };

/* place_kernel: each thread adds up all blocks at its own place. The file is compiled without contraction, so
 * the bits are the same as in the CPU build. */
static __global__ void __launch_bounds__(THREADS)
    place_kernel(struct box b, struct metrics m, struct blocks bl, const struct line_average_frame d,
                 const struct line_scalar_values q, int onto, int wide, int high, double *sums)
{
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i >= wide) return;
    for (int j = (int)blockIdx.y; j < high; j += (int)gridDim.y)
        point_line_scalar_place(q, d, b, m, bl, onto, i, j, sums + (ptrdiff_t)j * wide + i,
                                (ptrdiff_t)wide * high);
}

kol_status line_scalar_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const real *theta, double *sums)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_scalar_values q = {vel[d.s], vel[d.a], vel[d.b], theta};
    const int wide = line_average_places(b, d.a), high = line_average_places(b, d.b);
    const dim3 grid((unsigned)((wide + THREADS - 1) / THREADS),
                    (unsigned)(high < ROWS_MOST ? high : ROWS_MOST));
    place_kernel<<<grid, THREADS, 0, queue_stream()>>>(b, m, bl, d, q, onto, wide, high, sums);
    CUDA_LAUNCHED("line_scalar");
    return KOL_OK;
}
