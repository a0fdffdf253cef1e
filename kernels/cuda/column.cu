#include "../column.h"
#include "../point/column.h"
#include "check.cuh"
#include "queue.cuh"

enum { COLUMN_X = 32, COLUMN_Y = 4, COLUMN_GRID_MOST = 65535, COLUMN_DEPTH = 8 };

/* The arrays of three components. */
struct column_arrays {
    const real *base[3], *before[3];
    real *vel[3];
};

/* line: what a thread works on; pointers to its column's row 0. */
struct line {
    const double *low, *high, *inverse;
    const real *base, *before;
    real *vel;
    ptrdiff_t sz;
    int first, n; /* rows first .. n-1 */
};

/* What L is applied to on the right-hand side. */
template <bool SAME> __device__ __forceinline__ double column_known(const struct line &l, int k)
{
    const real base = l.base[k * l.sz];
    return point_column_known(base, SAME ? base : l.before[k * l.sz]);
}

/* Rows are taken COLUMN_DEPTH at a time: their loads are all under way before the recurrence wants the first. */
template <bool SAME> __device__ __forceinline__ void column_sweep_up(const struct line &l, double below)
{
    double q_below = column_known<SAME>(l, l.first - 1), q = column_known<SAME>(l, l.first);
    real u[COLUMN_DEPTH], base[COLUMN_DEPTH], before[COLUMN_DEPTH];
#pragma unroll 1
    for (int from = l.first; from < l.n; from += COLUMN_DEPTH) {
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from + d;
            if (k >= l.n) continue;
            u[d] = l.vel[k * l.sz];
            base[d] = l.base[(k + 1) * l.sz];
            before[d] = SAME ? base[d] : l.before[(k + 1) * l.sz];
        }
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from + d;
            if (k >= l.n) continue;
            const double q_above = point_column_known(base[d], before[d]);
            below = point_column_up(u[d], q_below, q, q_above, l.low[k], l.high[k], l.inverse[k], below);
            l.vel[k * l.sz] = (real)below;
            q_below = q;
            q = q_above;
        }
    }
}

__device__ __forceinline__ void column_sweep_down(const struct line &l, double above)
{
    real u[COLUMN_DEPTH];
#pragma unroll 1
    for (int from = l.n - 1; from >= l.first; from -= COLUMN_DEPTH) {
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d)
            if (from - d >= l.first) u[d] = l.vel[(from - d) * l.sz];
#pragma unroll
        for (int d = 0; d < COLUMN_DEPTH; ++d) {
            const int k = from - d;
            if (k < l.first) continue;
            above = point_column_down(u[d], l.high[k], l.inverse[k], above);
            l.vel[k * l.sz] = (real)above;
        }
    }
}

/* A thread takes a column of a component, blockIdx.z; columns lie side by side in x. */
template <bool SAME>
static __global__ void __launch_bounds__(COLUMN_X *COLUMN_Y)
    column_kernel(struct box b, const __grid_constant__ struct columns c,
                  const __grid_constant__ struct column_arrays a)
{
    const int d = (int)blockIdx.z, i = (int)(blockIdx.x * COLUMN_X + threadIdx.x);
    if (i >= b.nx) return;
    const double *of = d == Z ? c.face : c.centre;
    for (int j = (int)(blockIdx.y * COLUMN_Y + threadIdx.y); j < b.ny; j += (int)(gridDim.y * COLUMN_Y)) {
        const ptrdiff_t o = at(b, i, j, 0);
        const struct line l = {of,           of + b.nz, of + 2 * b.nz,  a.base[d] + o, a.before[d] + o,
                               a.vel[d] + o, b.sz,      d == Z ? 1 : 0, b.nz};
        column_sweep_up<SAME>(l, c.end[d][0]);
        column_sweep_down(l, c.end[d][1]);
    }
}

kol_status column_solve(struct box b, struct columns c, real *const base[3], real *const before[3],
                        real *const vel[3])
{
    const int rows = (b.ny + COLUMN_Y - 1) / COLUMN_Y;
    const dim3 threads(COLUMN_X, COLUMN_Y),
        grid((unsigned)((b.nx + COLUMN_X - 1) / COLUMN_X),
             (unsigned)(rows < COLUMN_GRID_MOST ? rows : COLUMN_GRID_MOST), 3);
    struct column_arrays a;
    for (int d = 0; d < 3; ++d) {
        a.base[d] = base[d];
        a.before[d] = before[d];
        a.vel[d] = vel[d];
    }
    if (base[X] == before[X]) column_kernel<true><<<grid, threads, 0, queue_stream()>>>(b, c, a);
    else column_kernel<false><<<grid, threads, 0, queue_stream()>>>(b, c, a);
    CUDA_LAUNCHED("column_solve");
    return KOL_OK;
}
