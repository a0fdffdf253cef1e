/* Fills the layer of halo cells beyond walls, and sums the shear on a wall. */
#include "../wall.h"
#include "../point/wall.h"
#include "check.cuh"
#include "queue.cuh"

enum { WALL_X = 32, WALL_Y = 8 };

/* blockIdx.z: the side. */
static __global__ void __launch_bounds__(WALL_X *WALL_Y)
    wall_kernel(struct box b, const __grid_constant__ struct walls w, struct cells c, struct wall_plane p,
                real *u, real *v, real *ww)
{
    const int side = (int)blockIdx.z, i = p.lo[0] + (int)(blockIdx.x * WALL_X + threadIdx.x);
    if (!(w.faces >> (2 * p.d + side) & 1u) || i >= p.hi[0]) return;
    real *const vel[3] = {u, v, ww};
    for (int j = p.lo[1] + (int)(blockIdx.y * WALL_Y + threadIdx.y); j < p.hi[1];
         j += (int)(gridDim.y * WALL_Y))
        if (wall_wanted(b, c, p, side, i, j)) point_wall(b, w, p, side, i, j, vel);
}

static unsigned blocks_for(int n, int size, unsigned most)
{
    const unsigned blocks = (unsigned)((n + size - 1) / size);
    return blocks < most ? blocks : most;
}

/* One direction is filled after the other. Where two walls meet, the later one uses what the earlier one has
 * filled. */
kol_status wall_fill(struct box b, struct walls w, struct cells c, real *const vel[3])
{
    for (int d = 0; d < 3; ++d) {
        if (!wall_there(w, d)) continue;
        const struct wall_plane p = wall_plane_make(b, c, d);
        const dim3 grid(blocks_for(p.hi[0] - p.lo[0], WALL_X, 65535),
                        blocks_for(p.hi[1] - p.lo[1], WALL_Y, 1024), 2);
        wall_kernel<<<grid, dim3(WALL_X, WALL_Y), 0, queue_stream()>>>(b, w, c, p, vel[X], vel[Y], vel[Z]);
        CUDA_LAUNCHED("wall_fill");
    }
    return KOL_OK;
}

enum { ROW_THREADS = 128 };

/* Each thread takes one piece of a row: x counts rows, y blocks. */
static __global__ void __launch_bounds__(ROW_THREADS)
    shear_kernel(struct box b, struct metrics m, struct blocks bl, struct wall_row r, int c, const real *u,
                 double *rows)
{
    const int j = (int)(blockIdx.x * ROW_THREADS + threadIdx.x), block = (int)blockIdx.y;
    if (j < r.n[1]) rows[(ptrdiff_t)j * gridDim.y + block] = point_wall_shear(b, m, bl, r, c, u, block, j);
}

kol_status wall_shear(struct box b, struct metrics m, struct blocks bl, int face, int c, const real *u,
                      double *rows)
{
    const struct wall_row r = wall_row_make(b, face);
    const dim3 grid((unsigned)((r.n[1] + ROW_THREADS - 1) / ROW_THREADS),
                    (unsigned)(r.a == X ? bl.nx : bl.ny));
    shear_kernel<<<grid, ROW_THREADS, 0, queue_stream()>>>(b, m, bl, r, c, u, rows);
    CUDA_LAUNCHED("wall_shear");
    return KOL_OK;
}
