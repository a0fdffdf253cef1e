/* Staged sums of the CUDA kernels.
 *
 * Each reduction block of struct blocks is divided into pieces of W columns in x and R rows in y, W R =
 * PIECE_THREADS, over its full extent in z. A thread takes one column of a piece, goes upwards and adds its
 * terms in double. At the top of the block, the columns of the piece are added by a tree over each warp, and
 * then by one over the warps. The order depends on W, R and the extent of the reduction block alone. So
 * partial sums have the same bits on any number of ranks and with any launch shape. sums.cu adds up the
 * pieces. */
#ifndef KOL_CUDA_REDUCE_CUH
#define KOL_CUDA_REDUCE_CUH

#include "../base/types.h"
#include "shapes.cuh"

enum { PIECE_WARP = 32, PIECE_WARPS = 8, PIECE_THREADS = PIECE_WARP * PIECE_WARPS };
enum { PIECE_WIDE = 32, PIECE_NARROW = 8 }; /* limits of W, powers of two */
enum { PIECES_MOST = 2 };                   /* pieces of one thread block */
/* Limits on the rows of a thread block, and on the planes of its sweep if these are more than one layer:
 * shared memory is scarce. */
enum { MARCH_ROWS = 32, MARCH_PLANES = 512 };

/* pieces: how reduction blocks are divided. Every block has the same number of pieces. Those beyond a small
 * block are empty and hold zeros. */
struct pieces {
    int shift, rows; /* W = 1 << shift, R */
    int nx, ny;      /* pieces of a block in x and y */
};

HD struct pieces pieces_make(struct blocks bl)
{
    struct pieces p;
    p.shift = 0;
    while ((1 << p.shift) < PIECE_NARROW || ((1 << p.shift) < PIECE_WIDE && (1 << p.shift) < bl.widest[X])) {
        ++p.shift;
    }
    p.rows = PIECE_THREADS >> p.shift;
    p.nx = (bl.widest[X] + (1 << p.shift) - 1) >> p.shift;
    p.ny = (bl.widest[Y] + p.rows - 1) / p.rows;
    return p;
}

/* pieces_place: returns the place in blocks.pieces of piece (px, py) of this rank's block (bx, by, bz).
 * Quantity q lies q * pieces_count() further. Blocks are the fastest index, so that threads which each take
 * one block read neighbouring values. */
HD ptrdiff_t pieces_place(struct blocks bl, struct pieces p, int px, int py, int bx, int by, int bz)
{
    return (ptrdiff_t)(py * p.nx + px) * blocks_count(bl) + ((ptrdiff_t)bz * bl.ny + by) * bl.nx + bx;
}

HD ptrdiff_t pieces_count(struct blocks bl, struct pieces p)
{
    return (ptrdiff_t)p.nx * p.ny * blocks_count(bl);
}

/* march: the launch of a kernel that sums, <<<m.grid, m.side * PIECE_THREADS, ...>>>; the kernel gets m.
 *
 * A thread block takes `side` pieces side by side in y, of the same row of reduction blocks, and `wide`
 * pieces in x, also of neighbouring blocks; a thread has one column in each of these. It goes upwards
 * through `layers` layers of reduction blocks.
 *
 * `tiles` is the number of tiles above each other. The lowest one is a single layer if low is 1, and the
 * highest one if high is 1. The launch takes every step-th tile from `first` on. There may be none:
 * march_none(). */
struct march {
    struct pieces p;
    int side, wide, layers;
    int shift; /* its tile is at most 1 << shift columns wide */
    int low, high, tiles, first, step;
    dim3 grid;
};

static inline int smaller(int a, int b)
{
    return a < b ? a : b;
}

static inline struct march march_of(struct blocks bl, struct shape s)
{
    struct march m;
    m.p = pieces_make(bl);
    m.side = smaller(s.y, smaller(m.p.ny, MARCH_ROWS / m.p.rows));
    m.wide = s.x > 1 && bl.nx * m.p.nx > 1 ? 2 : 1;
    m.shift = m.p.shift + m.wide - 1;
    m.layers = smaller(s.z, smaller(bl.nz, MARCH_PLANES / bl.widest[Z]));
    if (m.layers < 1) m.layers = 1;
    m.low = m.high = m.first = 0;
    m.step = 1;
    m.tiles = (bl.nz + m.layers - 1) / m.layers;
    m.grid = dim3((unsigned)((bl.nx * m.p.nx + m.wide - 1) / m.wide),
                  (unsigned)(bl.ny * ((m.p.ny + m.side - 1) / m.side)), (unsigned)m.tiles);
    return m;
}

/* march_split: returns the march for the cells of a call. A tile belongs to the rim if it reads, `reach`
 * cells beyond its own ones, a halo in z that has not arrived. Such tiles are as thin as possible: one
 * layer of blocks. Tiles that have nothing to do in this call because of their place in z are not launched.
 * Thread blocks that have nothing to do because of their place in x and y are launched, and end at once.
 * Blocks differ by at most one plane in thickness, so the thinnest may have one plane less than the widest.
 * If it may be thinner than the reach, m is returned as it is. */
static inline struct march march_split(struct blocks bl, struct march m, struct cells cells, int reach = 1)
{
    const unsigned in_z = 1u << FACE_Z_LOW | 1u << FACE_Z_HIGH;
    if (cells.which == CELLS_ALL || (cells.remote & in_z) == 0 || bl.widest[Z] - 1 < reach) return m;
    m.low = (int)(cells.remote >> FACE_Z_LOW & 1u);
    m.high = bl.nz > m.low ? (int)(cells.remote >> FACE_Z_HIGH & 1u) : 0;
    const int between = bl.nz - m.low - m.high, tiles = (between + m.layers - 1) / m.layers;
    if (tiles > 0) m.layers = (between + tiles - 1) / tiles;
    m.tiles = m.low + tiles + m.high;
    int launched = m.tiles;
    if (cells.which == CELLS_INNER) {
        m.first = m.low;
        launched = tiles;
    } else if ((cells.remote & ~in_z) == 0) {
        m.first = m.low ? 0 : m.tiles - 1;
        m.step = m.tiles > 1 ? m.tiles - 1 : 1;
        launched = m.low + m.high;
    }
    m.grid.z = (unsigned)launched;
    return m;
}

static inline bool march_none(const struct march &m)
{
    return m.grid.z == 0;
}

/* march_layer: returns the first layer of blocks of tile t in z. For t = m.tiles it is the layer after the
 * last tile. */
HD int march_layer(struct blocks bl, const struct march &m, int t)
{
    if (t == m.tiles) return bl.nz;
    const int layer = m.low + (t - m.low) * m.layers, last = bl.nz - m.high;
    return layer < 0 ? 0 : layer > last ? last : layer;
}

/* march_tile: returns which of the tiles above each other a thread block has. */
__device__ __forceinline__ int march_tile(const struct march &m)
{
    return m.first + (int)blockIdx.z * m.step;
}

static inline struct march march_make(struct blocks bl, enum tune_kernel k)
{
    return march_of(bl, shape_chosen(k));
}

static inline struct march march_make(struct blocks bl, enum tune_kernel k, struct cells cells)
{
    return march_split(bl, march_make(bl, k), cells);
}

/* place: place of a thread block among pieces and reduction blocks. bx = bl.nx: it has none. */
struct place {
    int bx, by, px, py; /* block, and the first of its pieces in y */
};

/* place_of: returns the place for the pieces that are number `column` side by side in x. */
__device__ __forceinline__ struct place place_of(const struct march &m, int column)
{
    const struct pieces p = m.p;
    const int deep = (p.ny + m.side - 1) / m.side, q = (int)blockIdx.x * m.wide + column;
    struct place a;
    a.bx = q / p.nx;
    a.px = q - a.bx * p.nx;
    a.by = (int)blockIdx.y / deep;
    a.py = ((int)blockIdx.y - a.by * deep) * m.side;
    return a;
}

/* ends: ends of a piece in x. They are equal if there is no such block. */
struct ends {
    int lo, hi;
};

__device__ __forceinline__ struct ends piece_ends(struct blocks bl, const struct march &m,
                                                  const struct place &a)
{
    struct ends e;
    if (a.bx >= bl.nx) {
        e.lo = e.hi = bl.x[bl.nx];
        return e;
    }
    const int end = bl.x[a.bx + 1];
    e.lo = min(bl.x[a.bx] + (a.px << m.p.shift), end);
    e.hi = min(e.lo + (1 << m.p.shift), end);
    return e;
}

/* tile: the own cells of a thread block, x0 <= i < x1 and likewise y, z. There are none in x or y if its
 * pieces are empty. i, j: the first column of this thread. own: whether this column is in the tile. Threads
 * beyond the pieces have none. */
struct tile {
    int x0, x1, y0, y1, z0, z1;
    int i, j;
    bool own;
};

__device__ __forceinline__ struct tile tile_of(struct blocks bl, const struct march &m)
{
    const struct place a = place_of(m, 0);
    const struct ends first = piece_ends(bl, m, a);
    const int width = 1 << m.p.shift, t = (int)threadIdx.x, n = march_tile(m);
    struct tile c;
    c.x0 = first.lo;
    c.x1 = m.wide == 1 ? first.hi : piece_ends(bl, m, place_of(m, m.wide - 1)).hi;
    c.y0 = bl.y[a.by] + a.py * m.p.rows;
    c.y1 = min(c.y0 + m.side * m.p.rows, bl.y[a.by + 1]);
    c.z0 = bl.z[march_layer(bl, m, n)];
    c.z1 = bl.z[march_layer(bl, m, n + 1)];
    c.i = c.x0 + (t & (width - 1));
    c.j = c.y0 + (t >> m.p.shift);
    c.own = t < m.side * PIECE_THREADS && c.i < first.hi && c.j < c.y1;
    return c;
}

/* columns: the columns of a thread, one in each of the pieces side by side in x. Each lies `right` of c.i. */
template <int COLUMNS> struct columns {
    int right[COLUMNS];
    bool own[COLUMNS];
};

template <int COLUMNS>
__device__ __forceinline__ struct columns<COLUMNS> columns_of(struct blocks bl, const struct march &m,
                                                              const struct tile &c) {
    struct columns<COLUMNS> a;
    a.right[0] = 0;
    a.own[0] = c.own;
#pragma unroll
    for (int n = 1; n < COLUMNS; ++n) {
        const struct ends e = piece_ends(bl, m, place_of(m, n));
        a.right[n] = e.lo - c.x0;
        a.own[n] = (int)threadIdx.x < m.side * PIECE_THREADS && c.i + a.right[n] < e.hi && c.j < c.y1;
    }
    return a;
}

/* tile_touched: the faces of the box that are less than `reach` cells away, bits as in struct cells. */
__device__ __forceinline__ unsigned
tile_touched(struct box b, struct tile c, int reach)
{
    return (unsigned)(c.x0 < reach) << FACE_X_LOW | (unsigned)(c.x1 > b.nx - reach) << FACE_X_HIGH |
           (unsigned)(c.y0 < reach) << FACE_Y_LOW | (unsigned)(c.y1 > b.ny - reach) << FACE_Y_HIGH |
           (unsigned)(c.z0 < reach) << FACE_Z_LOW | (unsigned)(c.z1 > b.nz - reach) << FACE_Z_HIGH;
}

/* tile_wanted: returns whether this call computes this tile. A tile belongs to the rim if it reads, `reach`
 * cells beyond its own, across a face of the box whose halo has not arrived. */
__device__ __forceinline__ bool tile_wanted(struct box b, struct tile c, struct cells cells, int reach = 1)
{
    if (cells.which == CELLS_ALL) return true;
    const bool rim = (tile_touched(b, c, reach) & cells.remote) != 0;
    return rim == (cells.which == CELLS_RIM);
}

/* sum_larger: returns the larger one. If a is NaN, it is ignored, as in the CPU build; sums pass a NaN on. */
__device__ __forceinline__ double sum_larger(double a, double b)
{
    return a > b ? a : b;
}

/* sum_fold: adds up the parts of all columns and writes them to bl.pieces for layer bz of the reduction
 * blocks: first SUMS sums of a thread, then MAXIMA maxima of magnitudes. MORE: sums are added to what an
 * earlier launch has left there.
 *
 * All threads of the thread block must call it once for each layer in turn. The parts of columns that are not
 * own must be 0. The function has one barrier. Two copies of of_warp take turns, so that the next layer need
 * not wait for the threads that read this one. */
template <int SUMS, int MAXIMA, int COLUMNS, bool MORE>
__device__ __forceinline__ void sum_fold(struct blocks bl, const struct march &m, int bz, const double *part)
{
    constexpr int PARTS = SUMS + MAXIMA, WARPS = PIECES_MOST * PIECE_WARPS;
    __shared__ double of_warp[2][COLUMNS * PARTS][WARPS];
    const int t = (int)threadIdx.x, warp = t / PIECE_WARP;
    double(*const slot)[WARPS] = of_warp[bz & 1];
    if (warp < m.side * PIECE_WARPS) {
#pragma unroll
        for (int n = 0; n < COLUMNS * PARTS; ++n) {
            double v = part[n];
#pragma unroll
            for (int half = PIECE_WARP / 2; half > 0; half /= 2) {
                const double other = __shfl_down_sync(0xffffffffu, v, (unsigned)half);
                v = n % PARTS < SUMS ? v + other : sum_larger(other, v);
            }
            if (t % PIECE_WARP == 0) slot[n][warp] = v;
        }
    }
    __syncthreads();
    const int place = t % (COLUMNS * PARTS), piece = t / (COLUMNS * PARTS), n = place % PARTS;
    const struct place a = place_of(m, place / PARTS);
    if (piece >= m.side || a.py + piece >= m.p.ny || a.bx >= bl.nx) return;
    double v[PIECE_WARPS];
#pragma unroll
    for (int l = 0; l < PIECE_WARPS; ++l) v[l] = slot[place][piece * PIECE_WARPS + l];
#pragma unroll
    for (int half = PIECE_WARPS / 2; half > 0; half /= 2) {
#pragma unroll
        for (int l = 0; l < half; ++l) v[l] = n < SUMS ? v[l] + v[l + half] : sum_larger(v[l + half], v[l]);
    }
    double *const out =
        bl.pieces + n * pieces_count(bl, m.p) + pieces_place(bl, m.p, a.px, a.py + piece, a.bx, a.by, bz);
    *out = MORE ? *out + v[0] : v[0];
}

/* sum_sweep: calls plane(k, part) for every plane of the tile, in all threads, whether their columns are own
 * or not. For own columns only, plane must add to part[0 .. SUMS-1], and raise part[SUMS .. SUMS+MAXIMA-1]
 * with sum_larger. The values of the thread's next column follow. plane is also called for `lead` planes
 * below the tile, where it must add nothing. close(part) is called before the parts of a layer of reduction
 * blocks are added up.
 *
 * The loop over planes is not unrolled. In copies of its body the compiler may fuse multiplications and
 * additions differently; then bits would depend on the place of a plane in the loop. */
template <int SUMS, int MAXIMA, int COLUMNS = 1, bool MORE = false, class Plane, class Close>
__device__ __forceinline__ void sum_sweep(struct blocks bl, const struct march &m, struct tile c, int lead,
                                          Plane plane, Close close)
{
    constexpr int PARTS = COLUMNS * (SUMS + MAXIMA);
    double part[PARTS];
#pragma unroll
    for (int n = 0; n < PARTS; ++n) part[n] = 0;
    int bz = march_layer(bl, m, march_tile(m)), top = bl.z[bz + 1];
#pragma unroll 1
    for (int k = c.z0 - lead; k < c.z1; ++k) {
        plane(k, part);
        if (k + 1 < top) continue;
        close(part);
        sum_fold<SUMS, MAXIMA, COLUMNS, MORE>(bl, m, bz, part);
#pragma unroll
        for (int n = 0; n < PARTS; ++n) part[n] = 0;
        ++bz;
        if (k + 1 < c.z1) top = bl.z[bz + 1];
    }
}

/* sum_march: sum_sweep without lead and close. */
template <int SUMS, int MAXIMA, class Plane>
__device__ __forceinline__ void sum_march(struct blocks bl, const struct march &m, struct tile c, Plane plane)
{
    sum_sweep<SUMS, MAXIMA>(bl, m, c, 0, plane, [](double *) {});
}

#endif
