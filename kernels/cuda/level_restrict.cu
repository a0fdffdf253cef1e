/* Restricts a residual from a level to the next coarser one. */
#include "level.cuh"

/* A coarse cell adds up at most 4 x 4 x 4 values. The first-level cache holds most of them, because the
 * threads beside it read them, too. */

/* fine_cells: the fine cells of one direction that contribute to a coarse cell: their places in memory and
 * their weights. Weight 0 means that there is none. */
struct fine_cells {
    int index[LEVEL_FINE];
    level_real weight[LEVEL_FINE];
};

__device__ __forceinline__ struct fine_cells fine_cells(struct level_transfer t, int coarse, int n,
                                                        unsigned around, int direction)
{
    struct fine_cells a;
#pragma unroll
    for (int m = 0; m < LEVEL_FINE; ++m) {
        a.index[m] = level_turned(point_level_fine(t, coarse, m), n, around, direction);
        a.weight[m] = point_level_weight(t, coarse, m);
    }
    return a;
}

/* sum_over_y_and_z: the weighted sum for fine column i, in the order of the CPU build. All values are
 * requested before the first is added. */
__device__ __forceinline__ level_real sum_over_y_and_z(struct box b, const struct fine_cells &y,
                                                       const struct fine_cells &z, const level_real *q, int i)
{
    level_real value[LEVEL_FINE][LEVEL_FINE], sum = 0;
#pragma unroll
    for (int c = 0; c < LEVEL_FINE; ++c) {
        const level_real *const plane = q + at(b, i, 0, z.index[c]);
#pragma unroll
        for (int a = 0; a < LEVEL_FINE; ++a)
            value[c][a] = z.weight[c] != 0 && y.weight[a] != 0 ? __ldg(plane + y.index[a] * b.sy) : 0;
    }
#pragma unroll
    for (int c = 0; c < LEVEL_FINE; ++c) {
        level_real row = 0;
#pragma unroll
        for (int a = 0; a < LEVEL_FINE; ++a)
            if (y.weight[a] != 0) row += y.weight[a] * value[c][a];
        if (z.weight[c] != 0) sum += z.weight[c] * row;
    }
    return sum;
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    restrict_kernel(struct box lb, unsigned around, struct level_transfers t, int nx, int ny, int nz,
                    int planes, struct box cb, const level_real *q, level_real *r_coarse)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
    const struct fine_cells x = fine_cells(t.x, a.i, lb.nx, around, X);
    const struct fine_cells y = fine_cells(t.y, a.j, lb.ny, around, Y);
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k) {
        const struct fine_cells z = fine_cells(t.z, k, lb.nz, around, Z);
        level_real v = 0;
#pragma unroll
        for (int m = 0; m < LEVEL_FINE; ++m)
            if (x.weight[m] != 0) v += x.weight[m] * sum_over_y_and_z(lb, y, z, q, x.index[m]);
        r_coarse[at(cb, a.i, a.j, k)] = v;
    }
}

kol_status level_restrict(struct box lb, struct cells cells, struct level_transfers t, const int n_coarse[3],
                          struct box cb, const level_real *q, level_real *r_coarse)
{
    const int nx = n_coarse[X], ny = n_coarse[Y], nz = n_coarse[Z];
    if (!level_compute_all(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    restrict_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, cells.around, t, nx, ny, nz, planes, cb, q, r_coarse);
    CUDA_LAUNCHED("level_restrict");
    return KOL_OK;
}
