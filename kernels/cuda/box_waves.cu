/* Sums of the velocity times the waves of a periodic box, also together with the divergence; amplitudes of a
 * field of waves in each row of the grid. */
#include "../box_forcing.h"
#include "wave_sums.cuh"
#include "check.cuh"
#include "divergence.cuh"
#include "queue.cuh"
#include "tile.cuh"
#include "wave_rows.cuh"

enum { ROWS_THREADS = 256, ROWS_EACH = 128 }; /* the latter: rows of a thread block */

/* A thread block has some rows of a plane. First it sums over the functions of z, then over those of y.
 * number: which product has functions f, g, h of x, y, z; -1: none. */
static __global__ void __launch_bounds__(ROWS_THREADS)
    rows_kernel(struct box b, const __grid_constant__ struct box_waves waves,
                const __grid_constant__ struct box_amplitudes add, double *KOL_RESTRICT rows)
{
    enum { SQUARE = BOX_FUNCTIONS * BOX_FUNCTIONS, CUBE = SQUARE * BOX_FUNCTIONS, ROW = 3 * BOX_FUNCTIONS };
    __shared__ int number[CUBE];
    __shared__ double plane[3 * SQUARE]; /* by component, function of x, function of y */
    const int k = (int)blockIdx.x, j0 = (int)blockIdx.y * ROWS_EACH, thread = (int)threadIdx.x;
    if (thread < CUBE) number[thread] = -1;
    __syncthreads();
    if (thread < waves.count) {
        const int f = waves.function[X][thread], g = waves.function[Y][thread], h = waves.function[Z][thread];
        number[(f * BOX_FUNCTIONS + g) * BOX_FUNCTIONS + h] = thread;
    }
    __syncthreads();
    if (thread < 3 * SQUARE) {
        double sum = 0;
        for (int h = 0; h < BOX_FUNCTIONS; ++h) {
            const int n = number[thread % SQUARE * BOX_FUNCTIONS + h];
            if (n >= 0) sum += add.amplitude[thread / SQUARE][n] * point_box_z(waves.z, h, k);
        }
        plane[thread] = sum;
    }
    __syncthreads();
    for (int q = thread; q < min(b.ny - j0, (int)ROWS_EACH) * ROW; q += ROWS_THREADS) {
        const int j = j0 + q / ROW, n = q % ROW;
        const double *y = waves.y + j, *of = plane + n * BOX_FUNCTIONS;
        double sum = of[0];
        for (int g = 1; g < BOX_FUNCTIONS; ++g) sum += of[g] * y[g * b.ny];
        rows[((ptrdiff_t)k * b.ny + j) * BOX_ROW + point_box_place(n / BOX_FUNCTIONS, n % BOX_FUNCTIONS)] =
            sum;
    }
}
static_assert(BOX_FUNCTIONS * BOX_FUNCTIONS * BOX_FUNCTIONS <= (int)ROWS_THREADS,
              "each function has a thread");

kol_status box_waves_rows(struct box b, struct box_waves waves, struct box_amplitudes add, double *rows)
{
    const dim3 grid((unsigned)b.nz, (unsigned)((b.ny + ROWS_EACH - 1) / ROWS_EACH));
    rows_kernel<<<grid, ROWS_THREADS, 0, queue_stream()>>>(b, waves, add, rows);
    CUDA_LAUNCHED("box_waves_rows");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_MOST, 2)
    add_kernel(struct box b, int planes, struct box_rows waves, real *KOL_RESTRICT u, real *KOL_RESTRICT v,
               real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const struct wave_column column = wave_column_of(b, waves, t);
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const double share = wave_column_load(b, waves, column, t.j, k);
        real add_u = u[o], add_v = v[o], add_w = w[o];
        wave_column_add(b, waves, column, t.j, k, share, add_u, add_v, add_w);
        u[o] = add_u;
        v[o] = add_v;
        w[o] = add_w;
    }
}

kol_status box_waves_add(struct box b, struct box_rows waves, real *const vel[3])
{
    add_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, TILE_PLAIN.z, waves, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("box_waves_add");
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    waves_kernel(struct box b, struct blocks bl, const __grid_constant__ struct march march,
                 const __grid_constant__ struct box_wave_sums sums, const real *KOL_RESTRICT u,
                 const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    extern __shared__ double row_sums[];
    const struct tile t = tile_of(bl, march);
    ptrdiff_t o = at(b, t.own ? t.i : 0, t.own ? t.j : 0, t.z0);
    struct wave_part wave = {};
    folding_begin(b, sums.waves, march, t);
    int bz = march_layer(bl, march, march_tile(march)), top = bl.z[bz + 1];
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        if (t.own) wave_part_add(wave, sums.waves.z + k * BOX_QUAD, u[o], v[o], w[o]);
        if (k + 1 < top) continue;
        wave_part_fold(sums, march, wave, row_sums);
        __syncthreads();
        ++bz;
        if (k + 1 < t.z1) top = bl.z[bz + 1];
    }
}

/* Adds the copies of the totals to the first one. */
static __global__ void __launch_bounds__(ROWS_THREADS) totals_kernel(long long *total)
{
    const int n = (int)(blockIdx.x * ROWS_THREADS + threadIdx.x);
    long long sum = 0;
    if (n >= 3 * BOX_PRODUCTS) return;
    for (int copy = 0; copy < BOX_COPIES; ++copy) sum += total[copy * BOX_COPY + n];
    total[n] = sum;
}

kol_status box_waves_begin(struct box_wave_sums sums)
{
    CUDA_TRY(cudaMemsetAsync(sums.total, 0, BOX_TOTALS * sizeof *sums.total, queue_stream()));
    return KOL_OK;
}

kol_status box_waves_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                real dts, const real *u, const real *v, const real *w, real *rhs,
                                struct box_wave_sums sums)
{
    return diverge<real, false>(b, b, m, bl, cells, dts, 1, u, v, w, rhs, sums);
}

kol_status box_waves_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                       struct cells cells, real dts, real scale, const real *u, const real *v,
                                       const real *w, float *rhs, struct box_wave_sums sums)
{
    return diverge<float, true>(b, q, m, bl, cells, dts, scale, u, v, w, rhs, sums);
}

kol_status box_waves_finish(struct box_wave_sums sums)
{
    totals_kernel<<<(3 * BOX_PRODUCTS + ROWS_THREADS - 1) / ROWS_THREADS, ROWS_THREADS, 0, queue_stream()>>>(
        sums.total);
    CUDA_LAUNCHED("box_waves_finish");
    return KOL_OK;
}

kol_status box_waves_sum(struct box b, struct blocks bl, real *const vel[3], struct box_wave_sums sums)
{
    const struct march march = march_of(bl, {0, 1, 1});
    TRY(box_waves_begin(sums));
    waves_kernel<<<march.grid, PIECE_THREADS, folding_values(march) * sizeof(double), queue_stream()>>>(
        b, bl, march, sums, vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("box_waves_sum");
    return box_waves_finish(sums);
}
