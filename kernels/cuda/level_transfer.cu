#include "level_correct.cuh"

/* A coarse cell adds up what it restricts from, a fine cell what it interpolates from: at most 4 x 4 x 4 and
 * 2 x 2 x 2 values, most of which the first-level cache holds because the threads beside read them, too. */

/* fine_cells: those of one direction that a coarse cell restricts from, places in memory and weights; weight
 * 0: none. */
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

/* sum_over_y_and_z: of fine column i. The order is that of the CPU build. All values are asked for before the
 * first is added. */
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
    if (!level_whole(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    restrict_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, cells.around, t, nx, ny, nz, planes, cb, q, r_coarse);
    CUDA_LAUNCHED("level_restrict");
    return KOL_OK;
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    prolong_kernel(struct box lb, int planes, const __grid_constant__ struct level_correction c,
                   level_real *z)
{
    const struct level_spot a = level_spot(lb.nx, lb.ny, lb.nz, planes);
    if (!a.own) return;
    const struct level_parents x = coarse_cells(c.t.x, a.i, c.shift[X], c.box.nx, c.around, X);
    const struct level_parents y = correction_y(c, a.j);
    ptrdiff_t o = at(lb, a.i, a.j, a.z0);
#pragma unroll 2
    for (int k = a.z0; k < a.z1; ++k, o += lb.sz)
        z[o] += value_over_all(c.box, x, y, correction_z(c, k), c.e);
}

kol_status level_prolong(struct box lb, const struct level_correction *c, level_real *z)
{
    const int planes = level_planes(lb.nx, lb.ny, lb.nz);
    prolong_kernel<<<level_grid(lb.nx, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(lb, planes,
                                                                                                  *c, z);
    CUDA_LAUNCHED("level_prolong");
    return KOL_OK;
}

/* One warp a row of the inverse; lane l of the sums is lane l of the warp. */
enum { DENSE_ROWS = 4, DENSE_THREADS = DENSE_ROWS * LEVEL_LANES };

__device__ __forceinline__ ptrdiff_t dense_place(struct box cb, int n)
{
    return at(cb, n % cb.nx, n / cb.nx % cb.ny, n / cb.nx / cb.ny);
}

static __global__ void __launch_bounds__(DENSE_THREADS)
    dense_kernel(struct box cb, int n, const level_real *inverse, const level_real *r, level_real *e)
{
    __shared__ level_real packed[LEVEL_DENSE_MOST];
    const int lane = (int)threadIdx.x % LEVEL_LANES;
    const int row = (int)blockIdx.x * DENSE_ROWS + (int)threadIdx.x / LEVEL_LANES;
    for (int i = (int)threadIdx.x; i < n; i += DENSE_THREADS) packed[i] = r[dense_place(cb, i)];
    __syncthreads();
    if (row >= n) return;
    level_real sum = 0;
#pragma unroll 4
    for (int i = lane; i < n; i += LEVEL_LANES) sum += __ldg(inverse + (ptrdiff_t)row * n + i) * packed[i];
#pragma unroll
    for (int half = LEVEL_LANES / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, (unsigned)half);
    if (lane == 0) e[dense_place(cb, row)] = sum;
}

kol_status level_dense(struct box cb, const level_real *inverse, const level_real *r, level_real *e)
{
    const ptrdiff_t cells = (ptrdiff_t)cb.nx * cb.ny * cb.nz;
    if (cells > LEVEL_DENSE_MOST)
        RAISE(KOL_ERR_INTERNAL, "a dense level of %td cells, %d are the most", cells, LEVEL_DENSE_MOST);
    const int n = (int)cells;
    dense_kernel<<<(unsigned)((n + DENSE_ROWS - 1) / DENSE_ROWS), DENSE_THREADS, 0, queue_stream()>>>(
        cb, n, inverse, r, e);
    CUDA_LAUNCHED("level_dense");
    return KOL_OK;
}
