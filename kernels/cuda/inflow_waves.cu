/* Makes the synthetic turbulence of an inflow: adds up the plane waves at each place of its plane.
 *
 * It is compiled without contraction, so that it has the same bits as the CPU backend. */
#include "../inflow_waves.h"
#include "../point/inflow_waves.h"
#include "check.cuh"
#include "queue.cuh"

enum { WAVES_X = 32, WAVES_Y = 8, WAVES_ROWS = 65535 };

/* Each thread takes one place; blockIdx.z is the component. */
static __global__ void __launch_bounds__(WAVES_X *WAVES_Y)
    waves_kernel(struct box b, int d, const __grid_constant__ struct inflow_waves w, const real *steady,
                 real *plane)
{
    const int cells[3] = {b.nx, b.ny, b.nz}, first = d == X ? Y : X, second = d == Z ? Y : Z;
    const int c = (int)blockIdx.z, on[2] = {c == first, c == second};
    const int nx = cells[first] + 2, ny = cells[second] + 2;
    const int i = (int)(blockIdx.x * WAVES_X + threadIdx.x);
    const double *const x = w.line[0][on[0]] + i, *const wx = w.weight[0][on[0]],
                        *const wy = w.weight[1][on[1]];
    if (i >= nx) return;
    for (int j = (int)(blockIdx.y * WAVES_Y + threadIdx.y); j < ny; j += (int)(gridDim.y * WAVES_Y)) {
        const double *const y = w.line[1][on[1]] + j;
        double sum = 0;
        for (int m = 0; m < w.modes; ++m) {
            const ptrdiff_t mx = 2 * (ptrdiff_t)m * nx, my = 2 * (ptrdiff_t)m * ny;
            const struct inflow_waves_pair row =
                point_waves_row(w.amplitude[3 * m + c], y[my], y[my + ny], w.turn[2 * m], w.turn[2 * m + 1]);
            sum += point_waves_term(row, x[mx], x[mx + nx]);
        }
        const ptrdiff_t q = plane_at(b, d, c, i - 1, j - 1);
        plane[q] = point_waves_value(steady[q], wx[i] * wy[j], sum, c == d ? w.excess : 0);
    }
}

kol_status inflow_waves_add(struct box b, int face, struct inflow_waves w, const real *steady, real *plane)
{
    const int d = face / 2, cells[3] = {b.nx, b.ny, b.nz}, nx = cells[d == X ? Y : X] + 2,
              ny = cells[d == Z ? Y : Z] + 2, rows = (ny + WAVES_Y - 1) / WAVES_Y;
    const dim3 grid((unsigned)((nx + WAVES_X - 1) / WAVES_X),
                    (unsigned)(rows < WAVES_ROWS ? rows : WAVES_ROWS), 3);
    waves_kernel<<<grid, dim3(WAVES_X, WAVES_Y), 0, queue_stream()>>>(b, d, w, steady, plane);
    CUDA_LAUNCHED("waves_add");
    return KOL_OK;
}
