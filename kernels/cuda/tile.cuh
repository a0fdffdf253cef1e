/* Tiles of columns for the kernels without sums, and planes of fields in shared memory. No value depends on
 * how ranks divide their boxes. All divisions run the same code, because in copies of it the compiler may
 * fuse multiplications and additions differently. */
#ifndef KOL_CUDA_TILE_CUH
#define KOL_CUDA_TILE_CUH

#include "reduce.cuh"

#include <cuda_pipeline.h>

enum { TILE_MOST = 512 }; /* threads of a tile */

/* TILE_PLAIN: the shape of kernels that are not tuned. */
static const struct shape TILE_PLAIN = {64, 4, 8};

static inline unsigned tile_ceil(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

/* tile_grid, tile_threads: return the launch. The kernel calls tile_free(b, s.z). */
static inline dim3 tile_grid(struct box b, struct shape s)
{
    return dim3(tile_ceil(b.nx, s.x), tile_ceil(b.ny, s.y), tile_ceil(b.nz, s.z));
}

static inline dim3 tile_threads(struct shape s)
{
    return dim3((unsigned)s.x, (unsigned)s.y, 1);
}

/* tile_at: returns tile number (x, y, z), counted side by side and upwards. */
__device__ __forceinline__ struct tile tile_at(struct box b, int x, int y, int z, int planes)
{
    struct tile t;
    t.x0 = x * (int)blockDim.x;
    t.y0 = y * (int)blockDim.y;
    t.z0 = z * planes;
    t.x1 = min(t.x0 + (int)blockDim.x, b.nx);
    t.y1 = min(t.y0 + (int)blockDim.y, b.ny);
    t.z1 = min(t.z0 + planes, b.nz);
    t.i = t.x0 + (int)threadIdx.x;
    t.j = t.y0 + (int)threadIdx.y;
    t.own = t.i < t.x1 && t.j < t.y1;
    return t;
}

/* tile_free: like tile_of, for a thread block that has nothing to add up. */
__device__ __forceinline__ struct tile tile_free(struct box b, int planes)
{
    return tile_at(b, (int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, planes);
}

/* box_slab: n tiles in each direction, every step-th from `first` on. */
struct box_slab {
    int first[3], step[3], n[3], count;
};

/* tiles: the launch of a kernel that takes struct cells, <<<t.count, tile_threads(s), ...>>>. It may be
 * empty, but every thread block has work. The kernel gets t and calls tile_listed(b, t).
 *
 * The inner tiles are one slab. Those of the rim are pairs of slabs at the ends of each direction: first all
 * of z, then y without the ends of z, then x without the ends of both. */
struct tiles {
    struct box_slab slab[3];
    int planes, count;
};

static inline struct tiles tiles_make(struct box b, struct shape s, struct cells cells)
{
    const int all[3] = {(int)tile_ceil(b.nx, s.x), (int)tile_ceil(b.ny, s.y), (int)tile_ceil(b.nz, s.z)};
    const bool split = cells.which != CELLS_ALL, rim = cells.which == CELLS_RIM;
    struct tiles t = {};
    struct box_slab rest; /* what no slab has yet */
    t.planes = s.z;
    for (int d = Z; d >= X; --d) {
        rest.first[d] = 0;
        rest.step[d] = 1;
        rest.n[d] = all[d];
    }
    for (int d = Z; d >= X; --d) {
        const int low = split && (cells.remote >> (2 * d) & 1u);
        const int high = split && all[d] > low && (cells.remote >> (2 * d + 1) & 1u);
        struct box_slab &ends = t.slab[Z - d];
        ends = rest;
        ends.first[d] = low ? 0 : all[d] - 1;
        ends.step[d] = all[d] - 1;
        ends.n[d] = low + high;
        ends.count = ends.n[X] * ends.n[Y] * ends.n[Z];
        t.count += ends.count;
        rest.first[d] = low;
        rest.n[d] -= low + high;
    }
    if (rim) return t;
    t.slab[0] = rest;
    t.slab[0].count = t.count = rest.n[X] * rest.n[Y] * rest.n[Z];
    return t;
}

/* tile_listed: like tile_free, for a launch by tiles_make(). */
__device__ __forceinline__ struct tile tile_listed(struct box b, const struct tiles &t)
{
    int q = (int)blockIdx.x, number = 0;
    while (q >= t.slab[number].count) q -= t.slab[number++].count;
    const struct box_slab &s = t.slab[number];
    const int row = q / s.n[X];
    const int x = q - row * s.n[X], z = row / s.n[Y], y = row - z * s.n[Y];
    return tile_at(b, s.first[X] + x * s.step[X], s.first[Y] + y * s.step[Y], s.first[Z] + z * s.step[Z],
                   t.planes);
}

/* stock: values of the planes above that a thread is going to read, copied to shared memory while it works on
 * planes below. There are SLOTS planes of VALUES values of type T. Only the thread itself reads them, so
 * there is no barrier. place: place of value 0 in slot 0. slot: slot of the current plane. */
template <int VALUES, int SLOTS, class T = real> struct stock {
    T *place;
    int slot;
};

enum { STOCK_STRIDE = PIECE_WARP }; /* distance between two values: a warp reads a row */

template <int VALUES, int SLOTS, class T = real> static size_t stock_bytes(unsigned threads)
{
    return sizeof(T) * VALUES * SLOTS * threads;
}

template <int VALUES, int SLOTS, class T>
__device__ __forceinline__ void stock_begin(struct stock<VALUES, SLOTS, T> &s, T *memory)
{
    const int lane = (int)threadIdx.x % PIECE_WARP, warp = (int)threadIdx.x / PIECE_WARP;
    const int of_warp = VALUES * SLOTS * STOCK_STRIDE;
    s.place = memory + warp * of_warp + lane;
    s.slot = 0;
}

/* stock_copy: starts to copy the plane that is `ahead` of the current one, in the group that
 * __pipeline_commit() closes. stock_fetch: does so if there is such a plane, which is wanted, and closes the
 * group. */
template <int VALUES, int SLOTS, class T>
__device__ __forceinline__ void stock_copy(const struct stock<VALUES, SLOTS, T> &s, int ahead,
                                           const T *const (&from)[VALUES])
{
    const int slot = s.slot + ahead < SLOTS ? s.slot + ahead : s.slot + ahead - SLOTS;
#pragma unroll
    for (int n = 0; n < VALUES; ++n)
        __pipeline_memcpy_async(s.place + (slot * VALUES + n) * STOCK_STRIDE, from[n], sizeof(T));
}

template <int VALUES, int SLOTS, class T>
__device__ __forceinline__ void stock_fetch(const struct stock<VALUES, SLOTS, T> &s, int ahead, bool wanted,
                                            const T *const (&from)[VALUES])
{
    if (wanted) stock_copy(s, ahead, from);
    __pipeline_commit();
}

/* stock_take: returns the values of the current plane, after the fetch of the plane SLOTS - 1 ahead, and
 * goes on to the next plane. stock_read: does the same for a second stock of the same groups, after the
 * first. */
template <int VALUES, int SLOTS, class T>
__device__ __forceinline__ void stock_read(struct stock<VALUES, SLOTS, T> &s, T (&value)[VALUES])
{
#pragma unroll
    for (int n = 0; n < VALUES; ++n) value[n] = s.place[(s.slot * VALUES + n) * STOCK_STRIDE];
    s.slot = s.slot + 1 < SLOTS ? s.slot + 1 : 0;
}

template <int VALUES, int SLOTS, class T>
__device__ __forceinline__ void stock_take(struct stock<VALUES, SLOTS, T> &s, T (&value)[VALUES])
{
    __pipeline_wait_prior(SLOTS - 1);
    stock_read(s, value);
}

/* The ring: planes of some fields of a tile, with one column and row of neighbours all round, in shared
 * memory. While the sweep is at plane k, the ring holds planes k and k + 1, and RING_AHEAD more are being
 * copied; each kernel chooses RING_AHEAD.
 *
 * Rows are copied in chunks of 16 bytes, so there is a complete chunk beyond each end in x, of which kernels
 * read one value. Row j - 1 of every field comes before row j. So the distances to all neighbours do not
 * depend on the shape of the tile, and RING_FIELD is the distance from field to field. */
enum {
    RING_COLUMNS = 32, /* width of the tile */
    RING_CHUNK = 16 / (int)sizeof(real),
    RING_FIELD = RING_COLUMNS + 2 * RING_CHUNK,
    RING_COPIES = 3 /* most chunks of a plane that a thread copies */
};

/* ring_values: returns the number of values of one plane of `fields` fields. ring_fits: returns whether the
 * threads of a tile can copy it. */
static inline int ring_values(struct shape s, int fields)
{
    return (s.y + 2) * fields * RING_FIELD;
}

static inline bool ring_fits(struct shape s, int fields)
{
    return s.x == RING_COLUMNS && s.x * s.y <= TILE_MOST &&
           ring_values(s, fields) <= RING_COPIES * RING_CHUNK * s.x * s.y;
}

/* ring_copies: the chunks that this thread copies of each plane, from the plane to come to a place in a
 * slot. to < 0: none. */
struct ring_copies {
    const real *from[RING_COPIES];
    int to[RING_COPIES];
};

/* ring_begin: starts the ring with plane z0 - 1. field: FIELDS arrays. */
template <int FIELDS>
__device__ __forceinline__ struct ring_copies ring_begin(struct box b, struct tile t,
                                                         const real *const *field)
{
    const int chunks = RING_FIELD / RING_CHUNK, threads = RING_COLUMNS * (int)blockDim.y;
    struct ring_copies c;
#pragma unroll
    for (int n = 0; n < RING_COPIES; ++n) {
        const int q = (int)(threadIdx.y * RING_COLUMNS + threadIdx.x) + n * threads;
        const int row = q / (chunks * FIELDS);
        const int i = t.x0 + (q % chunks - 1) * RING_CHUNK, j = t.y0 - 1 + row;
        const bool wanted = row < (int)blockDim.y + 2 && i <= b.nx && j <= b.ny;
        c.from[n] = wanted ? field[q / chunks % FIELDS] + at(b, i, j, t.z0 - 1) : NULL;
        c.to[n] = wanted ? q * RING_CHUNK : -1;
    }
    return c;
}

/* ring_fetch: starts to copy the next plane to a slot. */
__device__ __forceinline__ void ring_fetch(struct box b, struct ring_copies &c, real *slot)
{
#pragma unroll
    for (int n = 0; n < RING_COPIES; ++n) {
        if (c.to[n] >= 0) {
            __pipeline_memcpy_async(slot + c.to[n], c.from[n], RING_CHUNK * sizeof(real));
        }
        c.from[n] += b.sz;
    }
}

#endif
