/* Adds up a sample of the budgets of a scalar along the homogeneous direction, at every place of the section.
 */
#include "../point/line_budget.h"
#include "check.cuh"
#include "queue.cuh"

enum { THREADS = 64, ROWS_MOST = 65535 };

/* budget_kernel: each thread adds up all blocks at its own place. The file is compiled without contraction,
 * so the bits are the same as in the CPU build. */
static __global__ void __launch_bounds__(THREADS)
    budget_kernel(struct box b, struct blocks bl, const struct line_average_frame d,
                  const __grid_constant__ struct line_budget_fields q, int onto, int wide, int high,
                  double *sums)
{
    const int i = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (i >= wide) return;
    for (int j = (int)blockIdx.y; j < high; j += (int)gridDim.y)
        point_line_budget_place(&q, d, b, bl, onto, i, j, sums + (ptrdiff_t)j * wide + i,
                                (ptrdiff_t)wide * high);
}

kol_status line_budget_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const struct line_budget *f, double *sums)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_budget_fields q = line_budget_fields_make(d, b, m, vel, f);
    const int wide = line_average_places(b, d.a), high = line_average_places(b, d.b);
    const dim3 grid((unsigned)((wide + THREADS - 1) / THREADS),
                    (unsigned)(high < ROWS_MOST ? high : ROWS_MOST));
    budget_kernel<<<grid, THREADS, 0, queue_stream()>>>(b, bl, d, q, onto, wide, high, sums);
    CUDA_LAUNCHED("line_budget");
    return KOL_OK;
}
