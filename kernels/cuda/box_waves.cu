/* Adds a force in the waves of a periodic box to the velocity of a stage, and adds up the products of the
 * velocity with these waves, in one sweep upwards in z. */
#include "../box_forcing.h"
#include "../point/box_forcing.h"
#include "../point/update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* A thread has one column. The force there is a sum over the five functions of z, whose amplitudes stay in
 * registers, and so do the sums of velocity times each function of z. At the top of a block of the grid the
 * sums over x and y follow in shared memory: over the columns of each row of the piece, then over its rows.
 * Each sum has a fixed order. They are rounded to integers, so that it doesn't matter in which order the
 * pieces are added. */

/* Values of one component in shared memory: the sums of all columns, with a column between rows so that the
 * rows lie in different banks; and the sums of all rows. */
enum { ROWS_MOST = PIECE_THREADS / PIECE_NARROW, COLUMN_SUMS = PIECE_THREADS + ROWS_MOST };
enum { ROW_SUMS = BOX_FUNCTIONS * BOX_FUNCTIONS * ROWS_MOST };
struct folding {
    double column[BOX_FUNCTIONS * COLUMN_SUMS], row[ROW_SUMS];
};

/* wave_part: the amplitudes, or the sums, of the functions of z in a thread's column, for each component. */
struct wave_part {
    double of[3][BOX_FUNCTIONS];
};

__device__ __forceinline__ const double *table_of(const struct box_waves &w, int d, int c)
{
    return w.table[d][d != c];
}

/* The amplitudes of the functions of z in column (i, j). */
__device__ __forceinline__ struct wave_part amplitudes_at(struct box b, const struct box_waves &w,
                                                          const struct box_amplitudes &add, int i, int j)
{
    struct wave_part a;
    int n = 0;
#pragma unroll
    for (int f = 0; f < BOX_FUNCTIONS; ++f) {
        double sum[3] = {0, 0, 0};
        for (; n < w.count && w.function[Z][n] == f; ++n) {
            const int x = w.function[X][n] * b.nx + i, y = w.function[Y][n] * b.ny + j;
#pragma unroll
            for (int c = X; c <= Z; ++c)
                sum[c] += add.amplitude[c][n] * table_of(w, X, c)[x] * table_of(w, Y, c)[y];
        }
#pragma unroll
        for (int c = X; c <= Z; ++c) a.of[c][f] = sum[c];
    }
    return a;
}

/* Adds up one component over a piece: part over the columns of each row, then over the rows of the tile. */
__device__ __forceinline__ void fold(struct box b, const struct box_waves &w, const struct march &m,
                                     const struct tile &t, int c, const double (&part)[BOX_FUNCTIONS],
                                     double scale, struct folding &shared, long long *total)
{
    const int width = 1 << m.p.shift, rows = m.p.rows, thread = (int)threadIdx.x;
    const int row = thread >> m.p.shift, column = thread & (width - 1), stride = width + 1;
#pragma unroll
    for (int f = 0; f < BOX_FUNCTIONS; ++f) shared.column[(f * rows + row) * stride + column] = part[f];
    __syncthreads();
    const double *x = table_of(w, X, c), *y = table_of(w, Y, c);
    for (int q = thread; q < BOX_FUNCTIONS * BOX_FUNCTIONS * rows; q += PIECE_THREADS) {
        const int r = q % rows, f = q / rows % BOX_FUNCTIONS, g = q / rows / BOX_FUNCTIONS;
        const double *from = shared.column + (f * rows + r) * stride, *by = x + g * b.nx + t.x0;
        double sum = 0;
        for (int i = 0; i < t.x1 - t.x0; ++i) sum += from[i] * by[i];
        shared.row[(f * BOX_FUNCTIONS + g) * rows + r] = sum;
    }
    __syncthreads();
    for (int n = thread; n < w.count; n += PIECE_THREADS) {
        const double *from = shared.row + (w.function[Z][n] * BOX_FUNCTIONS + w.function[X][n]) * rows;
        const double *by = y + w.function[Y][n] * b.ny + t.y0;
        double sum = 0;
        for (int r = 0; r < t.y1 - t.y0; ++r) sum += from[r] * by[r];
        atomicAdd((unsigned long long *)total + c * BOX_PRODUCTS + n,
                  (unsigned long long)llrint(sum * scale));
    }
}

/* PUSH: adds the force. CORRECT: corrects velocity and pressure by phi, too. */
template <bool PUSH, bool CORRECT>
static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    box_waves_kernel(struct box b, struct blocks bl, const __grid_constant__ struct march march,
                     struct stencil s, struct correction a, const __grid_constant__ struct box_waves waves,
                     const __grid_constant__ struct box_amplitudes add, double scale,
                     const real *KOL_RESTRICT phi, const real *p_old, real *p, real *KOL_RESTRICT u,
                     real *KOL_RESTRICT v, real *KOL_RESTRICT w, long long *total)
{
    __shared__ struct folding shared;
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const double *z_centre = waves.table[Z][1], *z_face = waves.table[Z][0];
    ptrdiff_t o = at(b, i, j, t.z0);
    const real gx = CORRECT ? s.gx[i] : 0, gy = CORRECT ? s.gy[j] : 0;
    struct wave_part push, part = {};
    if (PUSH) push = amplitudes_at(b, waves, add, i, j);
    real below = CORRECT ? phi[o - b.sz] : 0;
    int bz = march_layer(bl, march, march_tile(march)), top = bl.z[bz + 1];
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        if (t.own) {
            real now[3] = {u[o], v[o], w[o]};
            const real c = CORRECT ? phi[o] : 0, x_low = CORRECT ? phi[o - 1] : 0,
                       y_low = CORRECT ? phi[o - b.sy] : 0, old = CORRECT ? p_old[o] : 0;
            double centre[BOX_FUNCTIONS], face[BOX_FUNCTIONS];
#pragma unroll
            for (int f = 0; f < BOX_FUNCTIONS; ++f) {
                centre[f] = z_centre[f * b.nz + k];
                face[f] = z_face[f * b.nz + k];
            }
            if (PUSH) {
#pragma unroll
                for (int d = X; d <= Z; ++d) {
                    struct box_row row;
                    for (int f = 0; f < BOX_FUNCTIONS; ++f) row.of[f] = push.of[d][f];
                    now[d] = (real)(now[d] + point_box_row(row, d == Z ? face : centre, 1));
                }
            }
            if (CORRECT) {
                now[X] = point_correct(now[X] + a.shift[X], a.dts, c, x_low, gx);
                now[Y] = point_correct(now[Y] + a.shift[Y], a.dts, c, y_low, gy);
                now[Z] = point_correct(now[Z] + a.shift[Z], a.dts, c, below, s.gz[k]);
                p[o] = old + (c - a.mean);
                below = c;
            }
            if (PUSH) {
                u[o] = now[X];
                v[o] = now[Y];
                w[o] = now[Z];
            }
#pragma unroll
            for (int f = 0; f < BOX_FUNCTIONS; ++f) {
                part.of[X][f] += now[X] * centre[f];
                part.of[Y][f] += now[Y] * centre[f];
                part.of[Z][f] += now[Z] * face[f];
            }
        }
        if (k + 1 < top) continue;
#pragma unroll
        for (int d = X; d <= Z; ++d) fold(b, waves, march, t, d, part.of[d], scale, shared, total);
        part = {};
        ++bz;
        if (k + 1 < t.z1) top = bl.z[bz + 1];
    }
}

/* The launch of all variants: the pieces of a thread block lie above each other only. */
static kol_status waves_march(struct blocks bl, long long *total, struct march *march)
{
    *march = march_make(bl, TUNE_MONITOR);
    if (march->side > 1 || march->wide > 1)
        RAISE(KOL_ERR_INTERNAL, "box_waves: no launch has %d x %d pieces side by side", march->wide,
              march->side);
    CUDA_TRY(cudaMemsetAsync(total, 0, 3 * BOX_PRODUCTS * sizeof *total, queue_stream()));
    return KOL_OK;
}

kol_status box_waves_sum(struct box b, struct blocks bl, struct box_waves waves, double scale,
                         real *const vel[3], long long *total)
{
    struct march march;
    TRY(waves_march(bl, total, &march));
    box_waves_kernel<false, false><<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(
        b, bl, march, stencil(), correction(), waves, box_amplitudes(), scale, NULL, NULL, NULL, vel[X],
        vel[Y], vel[Z], total);
    CUDA_LAUNCHED("box_waves_sum");
    return KOL_OK;
}

kol_status box_waves_correct(struct box b, struct blocks bl, struct stencil s, struct correction c,
                             struct box_waves waves, struct box_amplitudes add, double scale, const real *phi,
                             const real *p_old, real *p, real *const vel[3], long long *total)
{
    struct march march;
    const bool fused = c.factor == 0; /* the pressure needs neighbours of phi otherwise */
    TRY(waves_march(bl, total, &march));
    if (!fused) TRY(project_correct(b, s, c, phi, p_old, p, vel[X], vel[Y], vel[Z]));
    auto kernel = fused ? box_waves_kernel<true, true> : box_waves_kernel<true, false>;
    kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, bl, march, s, c, waves, add, scale, phi,
                                                             p_old, p, vel[X], vel[Y], vel[Z], total);
    CUDA_LAUNCHED("box_waves_correct");
    return KOL_OK;
}
