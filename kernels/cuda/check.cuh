/* Round every CUDA call and launch: checks that raise a status, and the launch shape of kernels without sums. */
#ifndef KOL_CUDA_CHECK_CUH
#define KOL_CUDA_CHECK_CUH

#include "../base/status.h"

/* cuda_take_error: the error of the call or launch just made, taken from the runtime so that no later query
 * blames it on another kernel. */
static inline cudaError_t cuda_take_error(void)
{
#ifdef KOLMO_DEBUG
    const cudaError_t done = cudaDeviceSynchronize();
    const cudaError_t last = cudaGetLastError();
    return last != cudaSuccess ? last : done;
#else
    return cudaGetLastError();
#endif
}

#define CUDA_TRY(call)                                                                                       \
    do {                                                                                                     \
        const cudaError_t cuda_try_ = (call);                                                                \
        if (cuda_try_ != cudaSuccess) {                                                                      \
            (void)cudaGetLastError();                                                                        \
            RAISE(KOL_ERR_CUDA, "%s: %s (%s)", #call, cudaGetErrorString(cuda_try_),                         \
                  cudaGetErrorName(cuda_try_));                                                              \
        }                                                                                                    \
    } while (0)

/* CUDA_LAUNCHED: after every launch. Debug builds wait, so that a fault is blamed on its own kernel. */
#define CUDA_LAUNCHED(name)                                                                                  \
    do {                                                                                                     \
        const cudaError_t cuda_launch_ = cuda_take_error();                                                  \
        if (cuda_launch_ != cudaSuccess)                                                                     \
            RAISE(KOL_ERR_CUDA, "kernel %s: %s (%s)", (name), cudaGetErrorString(cuda_launch_),              \
                  cudaGetErrorName(cuda_launch_));                                                           \
    } while (0)

enum {
    TILE_THREADS = 256, /* threads of a block of the kernels without sums */
    TILE_X = 32,        /* its width in x where the range is wide enough: one warp */
    TILE_PLANES = 16,   /* most planes a thread marches through */
    TILE_ENOUGH = 1024  /* blocks that fill a chip of about 130 multiprocessors several times */
};

/* tiles: a range of cells cut into tiles of columns; each thread marches upwards through `planes` cells. The cut
 * follows the range and may differ from rank to rank: no value depends on it. */
struct tiles {
    dim3 grid, threads;
    int planes;
    int empty; /* nothing to compute: do not launch */
};

static inline unsigned tiles_ceil(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

static inline struct tiles tiles_make(struct range r)
{
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], ez = r.hi[Z] - r.lo[Z];
    struct tiles t;
    t.empty = ex <= 0 || ey <= 0 || ez <= 0;
    int tx = TILE_X;
    while (tx > 1 && tx / 2 >= ex) tx /= 2; /* slabs at a rank's rim are one cell thick */
    int ty = TILE_THREADS / tx;
    while (ty > 1 && ty / 2 >= ey) {
        ty /= 2;
        tx *= 2;
    }
    t.threads = dim3((unsigned)tx, (unsigned)ty, 1);
    t.grid = dim3(tiles_ceil(ex, tx), tiles_ceil(ey, ty), 1);
    t.planes = TILE_PLANES;
    while (t.planes > 1 && (size_t)t.grid.x * t.grid.y * tiles_ceil(ez, t.planes) < TILE_ENOUGH) {
        t.planes /= 2;
    }
    t.grid.z = tiles_ceil(ez, t.planes);
    return t;
}

/* tiles_each: cell(i, j, k) for every cell of the range that this thread owns. The march is not unrolled: with
 * copies of the body the compiler may fuse multiplications and additions differently in each, and then bits
 * would depend on the cut. */
template <class Cell> __device__ __forceinline__ void tiles_each(struct range r, int planes, Cell cell)
{
    const int i = r.lo[X] + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int j = r.lo[Y] + (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (i >= r.hi[X] || j >= r.hi[Y]) return;
    const int low = r.lo[Z] + (int)blockIdx.z * planes;
    const int high = low + planes < r.hi[Z] ? low + planes : r.hi[Z];
#pragma unroll 1
    for (int k = low; k < high; ++k) cell(i, j, k);
}

#endif
