/* Ends a cycle: takes the last smoothing step and returns to the precision of the iteration. */
#include "level.cuh"
#include "reduce.cuh"
#include "cg.cuh"

/* A piece (reduce.cuh) has LEAVE_THREADS threads, and each thread computes LEAVE_COLUMNS neighbouring
 * columns of it: column l belongs to thread l / LEAVE_COLUMNS.
 *
 * FAST: this variant needs equal cell widths along x, equal distances of centres along x, and blocks that
 * can be divided into complete pieces of the same shape. A thread block then takes pieces that lie side by
 * side in x, about LEAVE_X columns together. Without FAST it takes m.side pieces in y.
 *
 * The fixed order of the sums limits how many columns can be swept at a time. To keep the memory busy,
 * values are requested LEAVE_AHEAD planes before they are used. */
enum {
    LEAVE_COLUMNS = 2,
    LEAVE_AHEAD = 3,
    LEAVE_THREADS = PIECE_THREADS / LEAVE_COLUMNS,
    LEAVE_LANES = PIECE_WARP / LEAVE_COLUMNS,
    LEAVE_X = 64,
    LEAVE_PIECES = PIECES_MOST
};

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z;
    const real *r;
    real *z_out;
};

static bool leave_fast(struct box lb, struct level_stencil s, struct blocks bl, const struct march &m)
{
    return s.uniform_x && lb.nx == bl.nx * bl.widest[X] && lb.ny == bl.ny * bl.widest[Y] &&
           bl.widest[X] % (1 << m.p.shift) == 0 && bl.widest[Y] % m.p.rows == 0;
}

/* leave_across: number of pieces of a thread block in x. */
static int leave_across(struct blocks bl, const struct march &m)
{
    int across = smaller(LEAVE_X >> m.p.shift, LEAVE_PIECES);
    while (across > 1 && bl.nx * m.p.nx % across != 0) --across;
    return across < 1 ? 1 : across;
}

/* leave_place: the place of piece n of the thread block. */
struct leave_place {
    int bx, by, px, py;
};

template <bool FAST>
__device__ __forceinline__ struct leave_place leave_place(const struct march &m, int across, int n)
{
    const int deep = FAST ? m.p.ny : (m.p.ny + m.side - 1) / m.side;
    const int x = FAST ? (int)blockIdx.x * across + n : (int)blockIdx.x;
    struct leave_place a;
    a.bx = x / m.p.nx;
    a.px = x - a.bx * m.p.nx;
    a.by = (int)blockIdx.y / deep;
    a.py = ((int)blockIdx.y - a.by * deep) * (FAST ? 1 : m.side) + (FAST ? 0 : n);
    return a;
}

/* leave_grid: the launch. across: pieces of a thread block in x; side: in y. */
static dim3 leave_grid(struct blocks bl, const struct march &m, int across, int side)
{
    return dim3((unsigned)(bl.nx * m.p.nx / across), (unsigned)(bl.ny * ((m.p.ny + side - 1) / side)),
                (unsigned)((bl.nz + m.layers - 1) / m.layers));
}

/* leave_fold: does what sum_fold does, for such threads: the same additions in the same order. */
template <bool FAST>
__device__ __forceinline__ void leave_fold(struct blocks bl, const struct march &m, int across, int bz,
                                           double (&part)[LEAVE_COLUMNS])
{
    __shared__ double of_warp[2][LEAVE_PIECES * PIECE_WARPS];
    const int t = (int)threadIdx.x, warp = t / LEAVE_LANES;
    double *const slot = of_warp[bz & 1];
#pragma unroll
    for (int half = LEAVE_LANES / 2; half > 0; half /= 2) {
#pragma unroll
        for (int n = 0; n < LEAVE_COLUMNS; ++n)
            part[n] += __shfl_down_sync(0xffffffffu, part[n], (unsigned)half);
    }
    if (t % LEAVE_LANES == 0) slot[warp] = part[0] + part[1];
    __syncthreads();
    const struct leave_place a = leave_place<FAST>(m, across, t);
    if (t >= (FAST ? across : m.side) || a.py >= m.p.ny) return;
    double v[PIECE_WARPS];
#pragma unroll
    for (int l = 0; l < PIECE_WARPS; ++l) v[l] = slot[t * PIECE_WARPS + l];
#pragma unroll
    for (int half = PIECE_WARPS / 2; half > 0; half /= 2) {
#pragma unroll
        for (int l = 0; l < half; ++l) v[l] += v[l + half];
    }
    bl.pieces[pieces_place(bl, m.p, a.px, a.py, a.bx, a.by, bz)] = v[0];
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
    const struct leave_place a = leave_place<FAST>(m, across, (int)threadIdx.x / LEAVE_THREADS);
    const int width = 1 << m.p.shift, t = LEAVE_COLUMNS * ((int)threadIdx.x % LEAVE_THREADS);
    const int x0 = bl.x[a.bx] + a.px * width, y0 = bl.y[a.by] + a.py * m.p.rows;
    struct columns2 c;
    c.i = x0 + (t & (width - 1));
    c.j = y0 + (t >> m.p.shift);
    c.n = FAST                   ? LEAVE_COLUMNS
          : c.j < bl.y[a.by + 1] ? max(0, min((int)LEAVE_COLUMNS, min(x0 + width, bl.x[a.bx + 1]) - c.i))
                                 : 0;
    c.whole = FAST || (c.n == LEAVE_COLUMNS && c.i % LEAVE_COLUMNS == 0);
    if (c.n == 0) c.i = c.j = 0;
    c.first = level_links(lb, s, around, c.i, c.j);
    c.last = level_links(lb, s, around, c.i + max(c.n, 1) - 1, c.j);
    return c;
}

/* pair: the values of two columns side by side, of any type. */
template <class T> struct alignas(LEAVE_COLUMNS * sizeof(T)) pair {
    T v[LEAVE_COLUMNS];
};
typedef struct pair<level_real> levels2;

template <bool FAST, class T>
__device__ __forceinline__ struct pair<T> pair_load(const struct columns2 &c, const T *from) {
    struct pair<T> q;
    if (FAST || c.whole) {
        q = *(const struct pair<T> *)from;
    } else {
#pragma unroll
        for (int m = 0; m < LEAVE_COLUMNS; ++m) q.v[m] = m < c.n ? from[m] : 0;
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
        for (int m = 0; m < LEAVE_COLUMNS; ++m)
            if (m < c.n) to[m] = q.v[m];
    }
}

/* leave_sides: the values beside the columns in one plane. */
struct leave_sides {
    levels2 yl, yh;
    level_real xl, xh;
};

template <bool FAST>
__device__ __forceinline__ struct leave_sides leave_sides(const struct columns2 &c, const level_real *z)
{
    struct leave_sides a;
    a.yl = pair_load<FAST>(c, z + c.first.yl);
    a.yh = pair_load<FAST>(c, z + c.first.yh);
    a.xl = z[c.first.xl];
    a.xh = z[(FAST ? LEAVE_COLUMNS : c.n) - 1 + c.last.xh];
    return a;
}

/* leave_plane: what a thread reads for a plane: r, and z of the plane above. */
struct leave_plane {
    static constexpr bool MASKED = false;
    levels2 r_level, above;
    struct pair<real> r;
};
/* with bodies also the bits of the faces */
struct leave_plane_open : leave_plane {
    static constexpr bool MASKED = true;
    struct pair<unsigned char> open;
};
template <bool MASKED> struct leave_planes {
    typedef struct leave_plane type;
};
template <> struct leave_planes<true> {
    typedef struct leave_plane_open type;
};

/* leave_march: the march of a thread through planes z0 .. z1 - 1. o, ol: where its columns begin in plane 0
 * of the fields and of the level's arrays. top: where z of plane z1 is read. */
struct leave_march {
    int z0, z1;
    offset o, ol, top;
};

template <bool FAST, class PLANE>
__device__ __forceinline__ PLANE leave_load(struct box b, struct box lb, const struct columns2 &c,
                                            const struct leave_march &w, const struct leaving &f,
                                            const unsigned char *open, int k)
{
    const offset place = w.ol + (offset)k * (offset)lb.sz;
    PLANE p;
    p.above = pair_load<FAST>(c, f.z + (offset)(k + 1 < w.z1 ? place + (offset)lb.sz : w.top));
    p.r_level = pair_load<FAST>(c, f.r_level + place);
    p.r = pair_load<FAST>(c, f.r + (offset)(w.o + (offset)k * (offset)b.sz));
    if constexpr (PLANE::MASKED) p.open = pair_load<FAST>(c, open + place);
    return p;
}

/* leave_smooth: takes the step for column m of the thread. a: metrics of its columns, or of all columns. */
template <bool FAST>
__device__ __forceinline__ level_real leave_smooth(const struct columns2 &c, const struct level_column &a,
                                                   struct level_plane h, level_real inverse, level_real step,
                                                   int m, const struct leave_plane &p, const levels2 &below,
                                                   const levels2 &here, const struct leave_sides &beside)
{
    const bool at_end = FAST ? m == LEAVE_COLUMNS - 1 : m == c.n - 1 || m == LEAVE_COLUMNS - 1;
    const level_real west = m == 0 ? beside.xl : here.v[m == 0 ? 0 : m - 1];
    const level_real east = at_end ? beside.xh : here.v[m == LEAVE_COLUMNS - 1 ? m : m + 1];
    const level_real rest = p.r_level.v[m] - point_level_apply(a, h, here.v[m], west, east, beside.yl.v[m],
                                                               beside.yh.v[m], below.v[m], p.above.v[m]);
    return point_level_smooth(here.v[m], step, rest * inverse);
}

template <bool FAST, bool MASKED>
static __global__ void __launch_bounds__(LEAVE_PIECES *LEAVE_THREADS, 2)
    leave_kernel(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                 const __grid_constant__ struct march m, int across, unsigned around,
                 const struct cg_state *cg, double volume, double factor, level_real step,
                 const __grid_constant__ struct leaving f)
{
    if (cg_ended(cg)) return;
    const double unscale = factor / point_level_scale(cg, volume);
    const struct columns2 c = columns2_make<FAST>(bl, m, across, lb, s, around);
    struct level_column a[FAST ? 1 : LEAVE_COLUMNS];
#pragma unroll
    for (int n = 0; n < (FAST ? 1 : LEAVE_COLUMNS); ++n)
        a[n] = point_level_column(s, min(c.i + n, lb.nx - 1), c.j);
    int bz = (int)blockIdx.z * m.layers, top = bl.z[bz + 1];
    struct leave_march w = {bl.z[bz], bl.z[min(bz + m.layers, bl.nz)], (offset)at(b, c.i, c.j, 0),
                            (offset)at(lb, c.i, c.j, 0), 0};
    const offset lowest = w.ol + (offset)w.z0 * (offset)lb.sz;
    w.top = w.ol + (offset)(w.z1 - 1) * (offset)lb.sz + (offset)level_above(lb, s, around, w.z1 - 1);
    levels2 here = pair_load<FAST>(c, f.z + lowest);
    levels2 below = pair_load<FAST>(c, f.z + (offset)(lowest + (offset)level_below(lb, s, around, w.z0)));
    typedef typename leave_planes<MASKED>::type plane;
    plane next[LEAVE_AHEAD];
#pragma unroll
    for (int n = 0; n < LEAVE_AHEAD; ++n)
        next[n] = leave_load<FAST, plane>(b, lb, c, w, f, s.open, min(w.z0 + n, w.z1 - 1));
    struct leave_sides sides_next = leave_sides<FAST>(c, f.z + lowest);
    double part[LEAVE_COLUMNS] = {};
#pragma unroll 1
    for (int k = w.z0; k < w.z1; ++k) {
        const plane now = next[0];
        const struct leave_sides sides = sides_next;
#pragma unroll
        for (int n = 1; n < LEAVE_AHEAD; ++n) next[n - 1] = next[n];
        if (k + LEAVE_AHEAD < w.z1)
            next[LEAVE_AHEAD - 1] = leave_load<FAST, plane>(b, lb, c, w, f, s.open, k + LEAVE_AHEAD);
        if (k + 1 < w.z1)
            sides_next = leave_sides<FAST>(c, f.z + (offset)(w.ol + (offset)(k + 1) * (offset)lb.sz));
        if (FAST || c.n > 0) {
            const struct level_plane h = point_level_plane(s, k);
            struct pair<real> out;
            level_real inverse = point_level_inverse(a[0], h);
#pragma unroll
            for (int n = 0; n < LEAVE_COLUMNS; ++n) {
                const struct level_column &column = a[FAST ? 0 : n];
                if constexpr (MASKED) {
                    const struct level_open open = point_level_open_bits(now.open.v[n]);
                    const struct level_column own = point_level_column_open(column, open);
                    const struct level_plane height = point_level_plane_open(h, open);
                    const level_real smooth =
                        leave_smooth<FAST>(c, own, height, point_level_inverse_open(own, height), step, n,
                                           now, below, here, sides);
                    out.v[n] = now.open.v[n] != 0 ? (real)(unscale * (double)smooth) : 0;
                } else {
                    if (!FAST && n > 0) inverse = point_level_inverse(column, h);
                    out.v[n] = (real)(unscale * (double)leave_smooth<FAST>(c, column, h, inverse, step, n,
                                                                           now, below, here, sides));
                }
                if (FAST || n < c.n) part[n] += (double)out.v[n] * now.r.v[n];
            }
            pair_store<FAST>(c, f.z_out + (offset)(w.o + (offset)k * (offset)b.sz), out);
        }
        below = here;
        here = now.above;
        if (k + 1 < top) continue;
        leave_fold<FAST>(bl, m, across, bz, part);
#pragma unroll
        for (int n = 0; n < LEAVE_COLUMNS; ++n) part[n] = 0;
        if (++bz < bl.nz) top = bl.z[bz + 1];
    }
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real step, const level_real *r_level, const level_real *z, const real *r,
                       real *z_out)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV);
    const struct leaving f = {r_level, z, r, z_out};
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "level_leave: the first level has no words");
    if (!level_compute_all(cells)) return KOL_OK;
    const bool fast = leave_fast(lb, s, bl, m);
    const auto kernel = s.open != NULL ? (fast ? leave_kernel<true, true> : leave_kernel<false, true>)
                                       : (fast ? leave_kernel<true, false> : leave_kernel<false, false>);
    const int across = fast ? leave_across(bl, m) : 1, side = fast ? 1 : m.side;
    kernel<<<leave_grid(bl, m, across, side), (unsigned)(across * side * LEAVE_THREADS), 0, queue_stream()>>>(
        b, lb, s, bl, m, across, cells.around, cg, volume, factor, step, f);
    CUDA_LAUNCHED("level_leave");
    return KOL_OK;
}
