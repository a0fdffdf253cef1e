/* The sweep of a frame. A frame is a tile of columns with a ring of one cell round it; the sweep goes
 * upwards, plane after plane. docs/numerics/multigrid.md.
 *
 * A thread holds four columns that lie side by side. The values below, at and above the present plane are in
 * registers. The rows beside the columns come from shared memory, where every thread leaves the values of its
 * plane. So a tile reads each value of a field, or forms it from fields, only once. Values of the next plane
 * are requested before this plane is computed. */
#ifndef KOL_CUDA_LEVEL_FRAME_CUH
#define KOL_CUDA_LEVEL_FRAME_CUH

#include "level.cuh"

/* The tile has FRAME_ROWS rows of FRAME_LANES quads, and a thread for each quad. The last warp has the rows
 * before and after them, and the cells at their ends. A row of the frame in shared memory has room for one
 * quad before the tile and one after it. */
enum { QUAD = 4, FRAME_LANES = 16, FRAME_ROWS = 16, FRAME_X = QUAD * FRAME_LANES };
enum {
    FRAME_OWN = FRAME_LANES * FRAME_ROWS,
    FRAME_THREADS = FRAME_OWN + 32,
    FRAME_PITCH = FRAME_X + 2 * QUAD
};
static_assert(2 * FRAME_LANES == 32 && 2 * FRAME_ROWS == 32, "the ring is one warp's");

struct __align__(16) quad
{
    level_real v[QUAD];
};

struct __align__(8) two
{
    level_real v[2];
};

/* patch: four cells of row j, from cell i on.
 *
 *   n      how many of them are own cells in x. It is 4 for a complete patch, and 0 if the row, or this part
 *          of it, is not needed.
 *   turn   says where the value of the cell after the own cells is read: the distance from the place where it
 *          would be in memory. NOWHERE if it is not read.
 *   o      place of the first cell in plane 0 */
enum { NOWHERE = -2147483647 };
struct patch {
    int i, j, n, turn;
    offset o;
};

/* spike: one cell beside a row of the tile, and its place in the frame. any: whether the cell is needed. */
struct spike {
    int i, j, place;
    offset o;
    bool any;
};

/* frame_fast: returns whether the FAST variant of a sweep can be used. This requires that widths and
 * distances along x are all the same, and that rows consist of complete tiles. If x is periodic and not
 * divided between ranks, rows need only consist of complete quads: where a tile goes beyond the end of a row,
 * it has the quads at the beginning of the row once more. The FAST variant also reads values that it does not
 * need, from some place of the box. */
static inline bool frame_fast(struct box b, struct level_stencil s, unsigned around)
{
    return s.uniform_x && (b.nx % FRAME_X == 0 || (b.nx % QUAD == 0 && (around >> FACE_X_LOW & 1u)));
}

__device__ __forceinline__ struct patch patch_make(struct box b, struct level_stencil s, unsigned around,
                                                   int i, int j)
{
    const bool row = (j >= 0 || s.gy[0] != 0) && (j < b.ny || (j == b.ny && s.gy[b.ny] != 0));
    const int at_i = min(i, b.nx - 1);
    struct patch p;
    p.i = i;
    p.j = j;
    p.n = row && i < b.nx ? min(QUAD, b.nx - i) : 0;
    p.turn = row && i <= b.nx && i + QUAD > b.nx && s.gx[b.nx] != 0
                 ? level_turned(b.nx, b.nx, around, X) - b.nx + (i - at_i)
                 : NOWHERE;
    p.o = (offset)at(b, at_i, row ? level_turned(j, b.ny, around, Y) : 0, 0);
    return p;
}

/* patch_each: makes a quad by calling value(m, place) for the own cells of the patch and for the one after
 * them. The other values are 0. */
template <class VALUE> __device__ __forceinline__ struct quad patch_each(struct patch p, VALUE value)
{
    struct quad q;
#pragma unroll
    for (int m = 0; m < QUAD; ++m)
        q.v[m] = m < p.n ? value(m, m) : m == p.n && p.turn != NOWHERE ? value(m, m + p.turn) : 0;
    return q;
}

template <bool FAST>
__device__ __forceinline__ struct quad patch_load(const struct patch &p, const level_real *a, offset plane)
{
    const level_real *const from = a + (offset)(p.o + plane);
    if constexpr (FAST) {
        return *(const struct quad *)from;
    } else {
        if (p.n == QUAD) return *(const struct quad *)from;
        return patch_each(p, [&](int, int m) { return from[m]; });
    }
}

template <bool FAST>
__device__ __forceinline__ void patch_store(const struct patch &p, level_real *a, offset plane,
                                            const struct quad &q)
{
    level_real *const to = a + (offset)(p.o + plane);
    if (FAST || p.n == QUAD) {
        *(struct quad *)to = q;
    } else {
#pragma unroll
        for (int m = 0; m < QUAD; ++m)
            if (m < p.n) to[m] = q.v[m];
    }
}

/* level_columns: coefficients of the columns of a patch. SAME: one for all. */
template <bool SAME> struct level_columns {
    struct level_column of[SAME ? 1 : QUAD];
    __device__ __forceinline__ const struct level_column &operator[](int m) const
    {
        return of[SAME ? 0 : m];
    }
};

template <bool SAME>
__device__ __forceinline__ struct level_columns<SAME> level_columns_make(struct box b, struct level_stencil s,
                                                                         struct patch p) {
    struct level_columns<SAME> c;
    const bool any = p.n > 0 || p.turn != NOWHERE;
#pragma unroll
    for (int m = 0; m < (SAME ? 1 : QUAD); ++m)
        c.of[m] = point_level_column(s, any ? min(p.i + m, b.nx) : 0, any ? p.j : 0);
    return c;
}

template <bool SAME>
__device__ __forceinline__ struct quad level_columns_inverse(const struct level_columns<SAME> &c,
                                                             struct level_plane h)
{
    struct quad q;
    q.v[0] = point_level_inverse(c[0], h);
#pragma unroll
    for (int m = 1; m < QUAD; ++m) q.v[m] = SAME ? q.v[0] : point_level_inverse(c[m], h);
    return q;
}

/* beside: the neighbours of a quad. Where no flux passes, as at walls, they are the cells themselves. */
struct beside {
    level_real xl, xh;
    struct quad here, yl, yh, zl, zh;
};

/* quad_each: calls f(m, value, its six neighbours) for the four cells. */
template <bool SAME, class F>
__device__ __forceinline__ struct quad quad_each(const struct level_columns<SAME> &c, const struct beside &a,
                                                 F f)
{
    struct quad q;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) {
        const level_real z = a.here.v[m];
        level_real xl = m == 0 ? a.xl : a.here.v[m == 0 ? 0 : m - 1];
        level_real xh = m == QUAD - 1 ? a.xh : a.here.v[m == QUAD - 1 ? m : m + 1];
        if (!SAME && c[m].xl == 0) xl = z;
        if (!SAME && c[m].xh == 0) xh = z;
        q.v[m] = f(m, z, xl, xh, a.yl.v[m], a.yh.v[m], a.zl.v[m], a.zh.v[m]);
    }
    return q;
}

template <bool SAME>
__device__ __forceinline__ struct quad quad_residual(const struct level_columns<SAME> &c,
                                                     struct level_plane h, const struct beside &a,
                                                     const struct quad &r)
{
    return quad_each(
        c, a,
        [&](int m, level_real z, level_real xl, level_real xh, level_real yl, level_real yh, level_real zl,
            level_real zh) { return r.v[m] - point_level_apply(c[m], h, z, xl, xh, yl, yh, zl, zh); });
}

/* seat: the part of the frame that a thread has. own: the thread computes cells of the tile. ring: it has
 * cells of the ring instead. */
struct seat {
    struct patch p;
    struct spike e;
    int lane, place;
    bool own, ring;
};

__device__ __forceinline__ struct seat seat_make(struct box b, struct level_stencil s, unsigned around)
{
    const int t = (int)threadIdx.x, x0 = (int)blockIdx.x * FRAME_X, y0 = (int)blockIdx.y * FRAME_ROWS;
    struct seat a;
    a.lane = t % FRAME_LANES;
    a.ring = t >= FRAME_OWN;
    const int row = a.ring ? (t < FRAME_OWN + FRAME_LANES ? 0 : FRAME_ROWS + 1) : 1 + t / FRAME_LANES;
    const int i = x0 + QUAD * a.lane, again = i >= b.nx && b.nx % QUAD == 0 && (around >> FACE_X_LOW & 1u);
    a.p = patch_make(b, s, around, again ? i % b.nx : i, y0 + row - 1);
    a.place = row * FRAME_PITCH + QUAD * (1 + a.lane);
    a.own = !a.ring && i < b.nx && a.p.n > 0 && a.p.j < b.ny;
    const bool high = t >= FRAME_OWN + FRAME_ROWS;
    a.e.i = high ? x0 + FRAME_X : x0 - 1;
    a.e.j = y0 + t % FRAME_ROWS;
    a.e.place = (1 + t % FRAME_ROWS) * FRAME_PITCH + (high ? QUAD + FRAME_X : QUAD - 1);
    a.e.any = a.ring && a.e.j < b.ny && (a.e.i >= 0 || s.gx[0] != 0) &&
              (a.e.i < b.nx || (a.e.i == b.nx && s.gx[b.nx] != 0));
    a.e.o = a.e.any ? (offset)at(b, level_turned(a.e.i, b.nx, around, X), a.e.j, 0) : (offset)b.start;
    return a;
}

/* frame_planes: returns the number of planes that a thread block goes through. It is an even number, at
 * most FRAME_PLANES, for which the sweep takes the least time. A large GPU holds FRAME_SLOTS times
 * `resident` thread blocks at once, so the blocks of a sweep are done in rounds. A round takes as long as
 * the planes of a block plus its start, which costs about FRAME_LEAD planes.
 *
 * frame_grid: returns the launch for a box. */
enum { FRAME_PLANES = 64, FRAME_SLOTS = 132, FRAME_LEAD = 3 };
/* FRAME_RESIDENT: thread blocks of a multiprocessor. FRAME_FEW: the same for kernels that need more
 * registers. */
enum { FRAME_RESIDENT = 3, FRAME_FEW = 2 };

static inline int frame_planes(struct box b, int resident)
{
    const long long tiles = (long long)level_tiles(b.nx, FRAME_X) * level_tiles(b.ny, FRAME_ROWS),
                    slots = (long long)FRAME_SLOTS * resident;
    long long least = 0;
    int best = 0;
    for (int planes = 2; planes <= FRAME_PLANES && planes < b.nz + 2; planes += 2) {
        const long long rounds = (tiles * level_tiles(b.nz, planes) + slots - 1) / slots;
        const long long cost = rounds * (planes + FRAME_LEAD);
        if (best == 0 || cost < least) {
            best = planes;
            least = cost;
        }
    }
    return best;
}

static inline dim3 frame_grid(struct box b, int planes)
{
    return dim3((unsigned)level_tiles(b.nx, FRAME_X), (unsigned)level_tiles(b.ny, FRAME_ROWS),
                (unsigned)level_tiles(b.nz, planes));
}

/* frame_plane: returns the distance in memory from plane 0 to plane k of a field; k is at most two planes
 * beyond the box. */
__device__ __forceinline__ offset frame_plane(struct box b, unsigned around, int k)
{
    return (offset)level_turned(k, b.nz, around, Z) * (offset)b.sz;
}

/* plane_above: returns the metrics of the plane above plane k, whose metrics are h. */
__device__ __forceinline__ struct level_plane plane_above(struct level_stencil s, struct level_plane h, int k)
{
    struct level_plane a;
    a.w = s.wz[k + 1];
    a.zl = h.zh;
    a.zh = s.gz[k + 2];
    return a;
}

/* quads_ahead: the quads of the next DEPTH planes of an array, which `work` reads besides the field. start is
 * called before planes begin .. end - 1, and next(k) in fetch(k). next returns the quad of plane k - 1.
 * load(k) loads the quad of a plane. */
template <int DEPTH> struct quads_ahead {
    struct quad v[DEPTH];
    template <class LOAD> __device__ __forceinline__ void start(int begin, int end, LOAD load)
    {
#pragma unroll
        for (int n = 1; n < DEPTH; ++n) v[n] = load(min(begin + n - 1, end - 1));
    }
    template <class LOAD> __device__ __forceinline__ struct quad next(int k, int end, LOAD load)
    {
        const struct quad now = v[0];
#pragma unroll
        for (int n = 1; n < DEPTH; ++n) v[n - 1] = v[n];
        if (k + DEPTH <= end) v[DEPTH - 1] = load(k + DEPTH - 1);
        return now;
    }
};

/* frame_sweep: calls work(k, metrics of the plane, beside) for planes begin .. end - 1, in all threads that
 * are not ring. It calls fetch(begin) at the start, and fetch(k + 1) before each work(k); fetch should
 * request what work is going to read elsewhere.
 *
 *   SOURCE   the field. load(patch, k) and load(spike, k) request memory. form(patch or spike, k, metrics,
 *            loaded) makes values of what was loaded.
 *   AHEAD    number of planes by which patches are requested before they are formed; for spikes it is two
 *   FAST     as in frame_fast */
template <bool FAST, int AHEAD, class SOURCE, class FETCH, class WORK>
__device__ __forceinline__ void frame_sweep(struct level_stencil s, int begin, int end, const struct seat &a,
                                            const SOURCE &source, FETCH fetch, WORK work)
{
    __shared__ __align__(16) level_real frame[2][(FRAME_ROWS + 2) * FRAME_PITCH];
    const bool yl = !a.own || s.gy[a.p.j] != 0, yh = !a.own || s.gy[a.p.j + 1] != 0;
    const int row_below = yl && !a.ring ? FRAME_PITCH : 0, row_above = yh && !a.ring ? FRAME_PITCH : 0;
    const int last = s.gz[end] != 0 ? end : end - 1; /* no flux passes to what lies above */
    struct level_plane h = point_level_plane(s, begin);
    typename SOURCE::loaded next[AHEAD];
    struct quad here = source.form(a.p, begin, h, source.load(a.p, begin)), below = here, above = here;
    if (h.zl != 0)
        below = source.form(a.p, begin - 1, point_level_plane(s, begin - 1), source.load(a.p, begin - 1));
#pragma unroll
    for (int n = 0; n < AHEAD; ++n) next[n] = source.load(a.p, min(begin + 1 + n, last));
    typename SOURCE::loaded_one end_next = source.load(a.e, begin), end_after = end_next;
    if (a.ring) end_after = source.load(a.e, min(begin + 1, end - 1));
    if (!a.ring) fetch(begin);
#pragma unroll 1
    for (int k = begin; k < end; ++k) {
        const struct level_plane up = plane_above(s, h, k);
        level_real *const plane = frame[k & 1];
        *(struct quad *)(plane + a.place) = here;
        if (a.ring) plane[a.e.place] = source.form(a.e, k, h, end_next);
        above = k < last ? source.form(a.p, k + 1, up, next[0]) : here;
#pragma unroll
        for (int n = 1; n < AHEAD; ++n) next[n - 1] = next[n];
        if (k + 1 + AHEAD <= last) next[AHEAD - 1] = source.load(a.p, k + 1 + AHEAD);
        end_next = end_after;
        if (a.ring && k + 2 < end) end_after = source.load(a.e, k + 2);
        if (!a.ring) fetch(k + 1);
        __syncthreads();
        if (!a.ring) {
            struct beside n;
            n.xl = __shfl_up_sync(0xffffffffu, here.v[QUAD - 1], 1, FRAME_LANES);
            n.xh = __shfl_down_sync(0xffffffffu, here.v[0], 1, FRAME_LANES);
            if (a.lane == 0) n.xl = plane[a.place - 1];
            if (a.lane == FRAME_LANES - 1) n.xh = plane[a.place + QUAD];
            n.here = here;
            n.yl = *(const struct quad *)(plane + a.place - row_below);
            n.yh = *(const struct quad *)(plane + a.place + row_above);
            n.zl = below;
            n.zh = above;
            work(k, h, n);
        }
        below = here;
        here = above;
        h = up;
    }
}

/* --- sources --- */

/* plain: a field without changes, as a source of frame_sweep. */
template <bool FAST> struct plain {
    typedef struct quad loaded;
    typedef level_real loaded_one;
    struct box b;
    unsigned around;
    const level_real *z;
    __device__ __forceinline__ struct quad load(const struct patch &p, int k) const
    {
        return patch_load<FAST>(p, z, frame_plane(b, around, k));
    }
    __device__ __forceinline__ level_real load(const struct spike &e, int k) const
    {
        return FAST || e.any ? z[e.o + frame_plane(b, around, k)] : 0;
    }
    __device__ __forceinline__ struct quad form(const struct patch &, int, struct level_plane,
                                                const struct quad &q) const
    {
        return q;
    }
    __device__ __forceinline__ level_real form(const struct spike &, int, struct level_plane,
                                               level_real v) const
    {
        return v;
    }
};

#endif
