/* Definitions that the CUDA kernels of levels share: their cells, how they read the opposite side of a
 * periodic direction, and the simple sweep, in which a thread goes up one column. level_frame.cuh has the
 * sweep of the other kernels.
 *
 * They are compiled without contraction of multiplications and additions (Makefile). So a cell gets the same
 * bits wherever it lies in a tile, and the same bits as in the CPU build. */
#ifndef KOL_CUDA_LEVEL_CUH
#define KOL_CUDA_LEVEL_CUH

#include "../level.h"
#include "../point/level.h"
#include "check.cuh"
#include "queue.cuh"

/* offset: a distance in values. 2^32 of them fit no GPU. */
typedef unsigned offset;

/* A tile is LEVEL_X columns wide and LEVEL_Y deep, one a thread. */
enum { LEVEL_X = 32, LEVEL_Y = 8, LEVEL_THREADS = LEVEL_X * LEVEL_Y };
/* A thread goes through at most LEVEL_PLANES planes. It goes through fewer if there would otherwise be less
 * than LEVEL_BLOCKS thread blocks, which are a few for each multiprocessor of a large GPU. The result of a
 * cell does not depend on this. */
enum { LEVEL_PLANES = 64, LEVEL_BLOCKS = 1024 };

static inline int level_tiles(int n, int size)
{
    return (n + size - 1) / size;
}

static inline int level_planes(int nx, int ny, int nz)
{
    const long long columns = (long long)level_tiles(nx, LEVEL_X) * level_tiles(ny, LEVEL_Y);
    const long long planes = columns * nz / LEVEL_BLOCKS;
    return planes < 1 ? 1 : planes > LEVEL_PLANES ? LEVEL_PLANES : (int)planes;
}

static inline dim3 level_grid(int nx, int ny, int nz, int planes)
{
    return dim3((unsigned)level_tiles(nx, LEVEL_X), (unsigned)level_tiles(ny, LEVEL_Y),
                (unsigned)level_tiles(nz, planes));
}

static inline dim3 level_block(void)
{
    return dim3(LEVEL_X, LEVEL_Y, 1);
}

/* level_compute_all: returns whether a kernel computes in this call. One of the two calls computes all
 * cells: the one that is made when the halo is complete. */
static inline bool level_compute_all(struct cells c)
{
    return c.which == CELLS_ALL || (c.which == CELLS_INNER) == (c.remote == 0);
}

/* level_turned: returns the index at which cell i is read, which lies at most n beyond the box. If `around`
 * has that direction, it is on the opposite side. */
__device__ __forceinline__ int level_turned(int i, int n, unsigned around, int direction)
{
    if ((i >= 0 && i < n) || !(around >> (2 * direction) & 1u)) return i;
    return i < 0 ? i + n : i - n;
}

/* A kernel is compiled for several kinds of levels: without bodies, with bits in s.open, and with words in
 * s.faces. TABLE: with bits, on a level that is uniform in all directions; 1 / D is then read from a table
 * (level_open.cuh). */
enum kind { PLAIN, BITS, WORDS, TABLE };
template <enum kind KIND> constexpr bool HAS_BITS = KIND == BITS || KIND == TABLE;

static inline enum kind level_kind(struct level_stencil s)
{
    return s.open != NULL ? BITS : s.faces != NULL ? WORDS : PLAIN;
}

/* level_spot: returns the column of a thread, and the planes that it goes through. */
struct level_spot {
    int i, j, z0, z1;
    bool own;
};

__device__ __forceinline__ struct level_spot level_spot(int nx, int ny, int nz, int planes)
{
    struct level_spot a;
    a.i = (int)(blockIdx.x * LEVEL_X + threadIdx.x);
    a.j = (int)(blockIdx.y * LEVEL_Y + threadIdx.y);
    a.z0 = (int)blockIdx.z * planes;
    a.z1 = min(a.z0 + planes, nz);
    a.own = a.i < nx && a.j < ny;
    return a;
}

/* level_links: distances in memory from a value of the column to its neighbours in the plane. If no flux
 * passes to a neighbour, the distance is 0, which is the value itself. */
struct level_links {
    int xl, xh;
    ptrdiff_t yl, yh;
};

__device__ __forceinline__ struct level_links level_links(struct box b, struct level_stencil s,
                                                          unsigned around, int i, int j)
{
    struct level_links a;
    a.xl = s.gx[i] != 0 ? level_turned(i - 1, b.nx, around, X) - i : 0;
    a.xh = s.gx[i + 1] != 0 ? level_turned(i + 1, b.nx, around, X) - i : 0;
    a.yl = s.gy[j] != 0 ? (level_turned(j - 1, b.ny, around, Y) - j) * b.sy : 0;
    a.yh = s.gy[j + 1] != 0 ? (level_turned(j + 1, b.ny, around, Y) - j) * b.sy : 0;
    return a;
}

/* level_below, level_above: returns the distance in memory from a value of plane k to that of the next
 * plane. */
__device__ __forceinline__ ptrdiff_t level_below(struct box b, struct level_stencil s, unsigned around, int k)
{
    return s.gz[k] != 0 ? (level_turned(k - 1, b.nz, around, Z) - k) * b.sz : 0;
}

__device__ __forceinline__ ptrdiff_t level_above(struct box b, struct level_stencil s, unsigned around, int k)
{
    return s.gz[k + 1] != 0 ? (level_turned(k + 1, b.nz, around, Z) - k) * b.sz : 0;
}

#endif
