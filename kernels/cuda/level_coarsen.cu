/* Marks the cells that move to another coarse cell, and computes the weights of the faces of a coarser level,
 * in a box with bodies. */
#include "level.cuh"

/* with the halo */
static __global__ void __launch_bounds__(LEVEL_THREADS)
    mark_kernel(struct box lb, struct level_stencil s, unsigned around,
                const __grid_constant__ struct level_transfers t, int nx, int ny, int nz, int planes,
                unsigned char *open, level_word *faces)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
    const int i = a.i - lb.h, j = a.j - lb.h;
#pragma unroll 1
    for (int k = a.z0 - lb.h; k < a.z1 - lb.h; ++k) {
        const unsigned mark = point_level_mark(lb, s, around, t, i, j, k);
        const ptrdiff_t to = at(lb, i, j, k), from = point_level_from(lb, around, i, j, k);
        if (open != NULL) open[to] = (unsigned char)(s.open[from] | mark << FACES);
        else faces[to] = s.faces[from] | (level_word)mark << (FACES * LEVEL_FACE_BITS);
    }
}

kol_status level_mark(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                      unsigned char *open, level_word *faces)
{
    const int nx = lb.nx + 2 * lb.h, ny = lb.ny + 2 * lb.h, nz = lb.nz + 2 * lb.h;
    const int planes = level_planes(nx, ny, nz);
    if (!level_compute_all(cells)) return KOL_OK;
    mark_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, t, nx, ny, nz, planes, open, faces);
    CUDA_LAUNCHED("level_mark");
    return KOL_OK;
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    coarsen_kernel(struct box lb, struct level_stencil s, unsigned around,
                   const __grid_constant__ struct level_transfers t, int nx, int ny, int nz, int planes,
                   struct box cb, level_word *coarse)
{
    const struct level_spot a = level_spot(nx, ny, nz, planes);
    if (!a.own) return;
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k)
        coarse[at(cb, a.i, a.j, k)] = point_level_word(lb, s, around, t, a.i, a.j, k);
}

kol_status level_coarsen(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, level_word *coarse)
{
    const int nx = n_coarse[X], ny = n_coarse[Y], nz = n_coarse[Z];
    if (!level_compute_all(cells) || nx <= 0 || ny <= 0 || nz <= 0) return KOL_OK;
    const int planes = level_planes(nx, ny, nz);
    coarsen_kernel<<<level_grid(nx, ny, nz, planes), level_block(), 0, queue_stream()>>>(
        lb, s, cells.around, t, nx, ny, nz, planes, cb, coarse);
    CUDA_LAUNCHED("level_coarsen");
    return KOL_OK;
}
