/* The sweeps of the first level that form sums: level_leave.cu and level_cg.cu. A thread has two columns that
 * lie side by side, and goes upwards, plane after plane. */
#ifndef KOL_CUDA_LEVEL_PAIRS_CUH
#define KOL_CUDA_LEVEL_PAIRS_CUH

#include "level.cuh"
#include "reduce.cuh"

/* A piece (reduce.cuh) has PAIRS_THREADS threads, and each thread computes PAIRS_COLUMNS neighbouring
 * columns of it: column l belongs to thread l / PAIRS_COLUMNS.
 *
 * FAST: this variant needs equal cell widths along x, equal distances of centres along x, and blocks that
 * can be divided into complete pieces of the same shape. A thread block then takes pieces that lie side by
 * side in x, about PAIRS_X columns together. Without FAST it takes m.side pieces in y.
 *
 * The fixed order of the sums limits how many columns can be swept at a time. To keep the memory busy,
 * values are requested PAIRS_AHEAD planes before they are used. */
enum {
    PAIRS_COLUMNS = 2,
    PAIRS_AHEAD = 3,
    PAIRS_THREADS = PIECE_THREADS / PAIRS_COLUMNS,
    PAIRS_LANES = PIECE_WARP / PAIRS_COLUMNS,
    PAIRS_X = 64,
    PAIRS_PIECES = PIECES_MOST
};

static inline bool pairs_fast(struct box lb, struct level_stencil s, struct blocks bl, const struct march &m)
{
    return s.uniform_x && lb.nx == bl.nx * bl.widest[X] && lb.ny == bl.ny * bl.widest[Y] &&
           bl.widest[X] % (1 << m.p.shift) == 0 && bl.widest[Y] % m.p.rows == 0;
}

/* pairs_across: number of pieces of a thread block in x. */
static inline int pairs_across(struct blocks bl, const struct march &m)
{
    int across = smaller(PAIRS_X >> m.p.shift, PAIRS_PIECES);
    while (across > 1 && bl.nx * m.p.nx % across != 0) --across;
    return across < 1 ? 1 : across;
}

/* pairs_place: the place of piece n of the thread block. */
struct pairs_place {
    int bx, by, px, py;
};

template <bool FAST>
__device__ __forceinline__ struct pairs_place pairs_place(const struct march &m, int across, int n)
{
    const int deep = FAST ? m.p.ny : (m.p.ny + m.side - 1) / m.side;
    const int x = FAST ? (int)blockIdx.x * across + n : (int)blockIdx.x;
    struct pairs_place a;
    a.bx = x / m.p.nx;
    a.px = x - a.bx * m.p.nx;
    a.by = (int)blockIdx.y / deep;
    a.py = ((int)blockIdx.y - a.by * deep) * (FAST ? 1 : m.side) + (FAST ? 0 : n);
    return a;
}

/* pairs_grid: the launch. across: pieces of a thread block in x; side: in y. */
static inline dim3 pairs_grid(struct blocks bl, const struct march &m, int across, int side)
{
    return dim3((unsigned)(bl.nx * m.p.nx / across), (unsigned)(bl.ny * ((m.p.ny + side - 1) / side)),
                (unsigned)((bl.nz + m.layers - 1) / m.layers));
}

/* pairs_fold: does what sum_fold does for quantity Q, for such threads: the same additions in the same order.
 * MAXIMUM: the largest part is taken instead. */
template <bool FAST, int Q = 0, bool MAXIMUM = false>
__device__ __forceinline__ void pairs_fold(struct blocks bl, const struct march &m, int across, int bz,
                                           double (&part)[PAIRS_COLUMNS])
{
    __shared__ double of_warp[2][PAIRS_PIECES * PIECE_WARPS];
    const auto both = [](double a, double b) { return MAXIMUM ? sum_larger(b, a) : a + b; };
    const int t = (int)threadIdx.x, warp = t / PAIRS_LANES;
    double *const slot = of_warp[bz & 1];
#pragma unroll
    for (int half = PAIRS_LANES / 2; half > 0; half /= 2) {
#pragma unroll
        for (int n = 0; n < PAIRS_COLUMNS; ++n)
            part[n] = both(part[n], __shfl_down_sync(0xffffffffu, part[n], (unsigned)half));
    }
    if (t % PAIRS_LANES == 0) slot[warp] = both(part[0], part[1]);
    __syncthreads();
    const struct pairs_place a = pairs_place<FAST>(m, across, t);
    if (t >= (FAST ? across : m.side) || a.py >= m.p.ny) return;
    double v[PIECE_WARPS];
#pragma unroll
    for (int l = 0; l < PIECE_WARPS; ++l) v[l] = slot[t * PIECE_WARPS + l];
#pragma unroll
    for (int half = PIECE_WARPS / 2; half > 0; half /= 2) {
#pragma unroll
        for (int l = 0; l < half; ++l) v[l] = both(v[l], v[l + half]);
    }
    bl.pieces[Q * pieces_count(bl, m.p) + pieces_place(bl, m.p, a.px, a.py, a.bx, a.by, bz)] = v[0];
}

/* columns2: the n columns of a thread. whole: they are complete pairs in all arrays. first, last: places of
 * the neighbours of the first and of the last one. */
struct columns2 {
    int i, j, n;
    bool whole;
    struct level_links first, last;
};

template <bool FAST>
__device__ __forceinline__ struct columns2 columns2_make(struct blocks bl, const struct march &m, int across,
                                                         struct box lb, struct level_stencil s,
                                                         unsigned around)
{
    const struct pairs_place a = pairs_place<FAST>(m, across, (int)threadIdx.x / PAIRS_THREADS);
    const int width = 1 << m.p.shift, t = PAIRS_COLUMNS * ((int)threadIdx.x % PAIRS_THREADS);
    const int x0 = bl.x[a.bx] + a.px * width, y0 = bl.y[a.by] + a.py * m.p.rows;
    struct columns2 c;
    c.i = x0 + (t & (width - 1));
    c.j = y0 + (t >> m.p.shift);
    c.n = FAST                   ? PAIRS_COLUMNS
          : c.j < bl.y[a.by + 1] ? max(0, min((int)PAIRS_COLUMNS, min(x0 + width, bl.x[a.bx + 1]) - c.i))
                                 : 0;
    c.whole = FAST || (c.n == PAIRS_COLUMNS && c.i % PAIRS_COLUMNS == 0);
    if (c.n == 0) c.i = c.j = 0;
    c.first = level_links(lb, s, around, c.i, c.j);
    c.last = level_links(lb, s, around, c.i + max(c.n, 1) - 1, c.j);
    return c;
}

/* pair: the values of two columns side by side, of any type. */
template <class T> struct alignas(PAIRS_COLUMNS * sizeof(T)) pair {
    T v[PAIRS_COLUMNS];
};
typedef struct pair<level_real> levels2;

template <bool FAST, class T>
__device__ __forceinline__ struct pair<T> pair_load(const struct columns2 &c, const T *from) {
    struct pair<T> q;
    if (FAST || c.whole) {
        q = *(const struct pair<T> *)from;
    } else {
#pragma unroll
        for (int m = 0; m < PAIRS_COLUMNS; ++m) q.v[m] = m < c.n ? from[m] : 0;
    }
    return q;
}

template <bool FAST, class T>
__device__ __forceinline__ void pair_store(const struct columns2 &c, T *to, const struct pair<T> &q)
{
    if (FAST || c.whole) {
        *(struct pair<T> *)to = q;
    } else {
#pragma unroll
        for (int m = 0; m < PAIRS_COLUMNS; ++m)
            if (m < c.n) to[m] = q.v[m];
    }
}

/* pairs_sides: the values beside the columns in one plane. */
struct pairs_sides {
    levels2 yl, yh;
    level_real xl, xh;
};

template <bool FAST>
__device__ __forceinline__ struct pairs_sides pairs_sides(const struct columns2 &c, const level_real *z)
{
    struct pairs_sides a;
    a.yl = pair_load<FAST>(c, z + c.first.yl);
    a.yh = pair_load<FAST>(c, z + c.first.yh);
    a.xl = z[c.first.xl];
    a.xh = z[(FAST ? PAIRS_COLUMNS : c.n) - 1 + c.last.xh];
    return a;
}

#endif
