/* Combines whole fields, and clears their halo beyond faces. */
#include "../update.h"
#include "../point/update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* y may be p1 or p2, because all are used at the own point only. */
static __global__ void __launch_bounds__(TILE_MOST)
    combine_kernel(struct box b, int planes, real c1, const real *p1, real c2, const real *p2, real *y)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        real sum = 0;
        if (c1 != 0) sum += c1 * p1[o];
        if (c2 != 0) sum += c2 * p2[o];
        y[o] = sum;
    }
}

kol_status update_combine(struct box b, real c1, const real *p1, real c2, const real *p2, real *y)
{
    combine_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, TILE_PLAIN.z, c1, p1, c2, p2, y);
    CUDA_LAUNCHED("update_combine");
    return KOL_OK;
}

/* sources: what update_combine_three() combines. */
struct sources {
    real c[3];
    const real *p[3];
};

static __global__ void __launch_bounds__(TILE_MOST)
    combine_three_kernel(struct box b, int planes, const __grid_constant__ struct sources s, real *y)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz)
        y[o] = (s.c[0] * s.p[0][o] + s.c[1] * s.p[1][o]) + s.c[2] * s.p[2][o];
}

kol_status update_combine_three(struct box b, const real c[3], const real *const p[3], real *y)
{
    const struct sources s = {{c[0], c[1], c[2]}, {p[0], p[1], p[2]}};
    combine_three_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, TILE_PLAIN.z, s, y);
    CUDA_LAUNCHED("update_combine_three");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_MOST)
    shift_kernel(struct box b, int planes, real shift, const real *profile, real *u)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) u[o] += point_shift(shift, profile, k);
}

kol_status update_shift(struct box b, const real shift[3], const real *profile, real *const u[3])
{
    for (int d = 0; d < 3; ++d) {
        if (shift[d] == 0) continue;
        shift_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
            b, TILE_PLAIN.z, shift[d], d < Z ? profile : NULL, u[d]);
        CUDA_LAUNCHED("update_shift");
    }
    return KOL_OK;
}

enum { BEYOND_THREADS = 256 };
static const ptrdiff_t BEYOND_BLOCKS_MOST = 1024;

/* blockIdx.y: the face. */
static __global__ void __launch_bounds__(BEYOND_THREADS) beyond_kernel(struct box b, unsigned faces, real *x)
{
    const int f = (int)blockIdx.y;
    if (!(faces >> f & 1u)) return;
    const struct range r = point_halo_plane(b, f);
    const int nx = r.hi[X] - r.lo[X], ny = r.hi[Y] - r.lo[Y];
    const ptrdiff_t all = (ptrdiff_t)nx * ny * (r.hi[Z] - r.lo[Z]);
    for (ptrdiff_t n = (ptrdiff_t)blockIdx.x * BEYOND_THREADS + threadIdx.x; n < all;
         n += (ptrdiff_t)gridDim.x * BEYOND_THREADS) {
        const int k = (int)(n / ((ptrdiff_t)nx * ny)), in_plane = (int)(n - (ptrdiff_t)k * nx * ny);
        x[at(b, r.lo[X] + in_plane % nx, r.lo[Y] + in_plane / nx, r.lo[Z] + k)] = 0;
    }
}

kol_status update_zero_beyond(struct box b, unsigned faces, real *x)
{
    ptrdiff_t most = 0;
    for (int f = 0; f < FACES; ++f) {
        const struct range r = point_halo_plane(b, f);
        const ptrdiff_t n = (ptrdiff_t)(r.hi[X] - r.lo[X]) * (r.hi[Y] - r.lo[Y]) * (r.hi[Z] - r.lo[Z]);
        if (n > most) most = n;
    }
    const ptrdiff_t blocks = (most + BEYOND_THREADS - 1) / BEYOND_THREADS;
    const dim3 grid((unsigned)(blocks < BEYOND_BLOCKS_MOST ? blocks : BEYOND_BLOCKS_MOST), FACES);
    beyond_kernel<<<grid, BEYOND_THREADS, 0, queue_stream()>>>(b, faces, x);
    CUDA_LAUNCHED("update_zero_beyond");
    return KOL_OK;
}
