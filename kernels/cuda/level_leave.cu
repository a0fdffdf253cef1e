#include "level_correct.cuh"
#include "reduce.cuh"
#include "scalars.cuh"

/* The arrays of level_leave. */
struct leaving {
    const level_real *r_level, *z, *z_prev;
    const real *r;
    real *z_out;
};

/* What happens to z_prev; the last two: a correction is added. */
enum previous { PREVIOUS_NONE, PREVIOUS_READ, PREVIOUS_CONSTANT, PREVIOUS_LINEAR };

/* A thread takes four columns of a piece (reduce.cuh), LEAVE_THREADS of them a piece: of the thread that alone would have column l of
 * the piece, thread l / 4 takes the part. FAST: widths and distances along x are all the same, and blocks are cut into whole pieces, all
 * alike; then a thread block takes pieces side by side in x, about LEAVE_X columns, else m.side of them in y. */
enum {
    LEAVE_THREADS = PIECE_THREADS / QUAD,
    LEAVE_LANES = PIECE_WARP / QUAD,
    LEAVE_X = 64,
    LEAVE_PIECES = 4
};

static bool leave_fast(struct box lb, struct level_stencil s, struct blocks bl, const struct march &m)
{
    return s.uniform_x && lb.nx == bl.nx * bl.widest[X] && lb.ny == bl.ny * bl.widest[Y] &&
           bl.widest[X] % (1 << m.p.shift) == 0 && bl.widest[Y] % m.p.rows == 0;
}

/* leave_across: how many pieces in x. */
static int leave_across(struct blocks bl, const struct march &m)
{
    int across = smaller(LEAVE_X >> m.p.shift, LEAVE_PIECES);
    while (across > 1 && bl.nx * m.p.nx % across != 0) --across;
    return across < 1 ? 1 : across;
}

/* leave_place: of piece n of the thread block. */
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

/* leave_grid: the thread blocks; across: pieces in x of each, side: in y. */
static dim3 leave_grid(struct blocks bl, const struct march &m, int across, int side)
{
    return dim3((unsigned)(bl.nx * m.p.nx / across), (unsigned)(bl.ny * ((m.p.ny + side - 1) / side)),
                (unsigned)((bl.nz + m.layers - 1) / m.layers));
}

/* leave_fold: sum_fold for such threads: the same additions in the same order. */
template <bool FAST>
__device__ __forceinline__ void leave_fold(struct blocks bl, const struct march &m, int across, int bz,
                                           double (&part)[QUAD])
{
    __shared__ double of_warp[2][LEAVE_PIECES * PIECE_WARPS];
    const int t = (int)threadIdx.x, warp = t / LEAVE_LANES;
    double *const slot = of_warp[bz & 1];
#pragma unroll
    for (int half = LEAVE_LANES / 2; half > 0; half /= 2) {
#pragma unroll
        for (int n = 0; n < QUAD; ++n) part[n] += __shfl_down_sync(0xffffffffu, part[n], (unsigned)half);
    }
    if (t % LEAVE_LANES == 0) slot[warp] = (part[0] + part[2]) + (part[1] + part[3]);
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

/* columns4: those of a thread, n of them; whole: they are quads of all arrays. first, last: where the neighbours of the first one and
 * of the last one lie. */
struct columns4 {
    int i, j, n;
    bool whole;
    struct level_links first, last;
};

template <bool FAST>
__device__ __forceinline__ struct columns4 columns4_make(struct blocks bl, const struct march &m, int across,
                                                         struct box lb, struct level_stencil s,
                                                         unsigned around)
{
    const struct leave_place a = leave_place<FAST>(m, across, (int)threadIdx.x / LEAVE_THREADS);
    const int width = 1 << m.p.shift, t = QUAD * ((int)threadIdx.x % LEAVE_THREADS);
    const int x0 = bl.x[a.bx] + a.px * width, y0 = bl.y[a.by] + a.py * m.p.rows;
    struct columns4 c;
    c.i = x0 + (t & (width - 1));
    c.j = y0 + (t >> m.p.shift);
    c.n = FAST ? QUAD : c.j < bl.y[a.by + 1] ? max(0, min(QUAD, min(x0 + width, bl.x[a.bx + 1]) - c.i)) : 0;
    c.whole = FAST || (c.n == QUAD && c.i % QUAD == 0);
    if (c.n == 0) c.i = c.j = 0;
    c.first = level_links(lb, s, around, c.i, c.j);
    c.last = level_links(lb, s, around, c.i + max(c.n, 1) - 1, c.j);
    return c;
}

/* four: values of any kind, side by side. */
template <class T> struct __align__(16) four
{
    T v[QUAD];
};

template <bool FAST, class T>
__device__ __forceinline__ struct four<T> four_load(const struct columns4 &c, const T *from) {
    struct four<T> q;
    if (FAST || c.whole) {
        q = *(const struct four<T> *)from;
    } else {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] = m < c.n ? from[m] : 0;
    }
    return q;
}

template <bool FAST, class T>
__device__ __forceinline__ void four_store(const struct columns4 &c, T *to, const struct four<T> &q)
{
    if (FAST || c.whole) {
        *(struct four<T> *)to = q;
    } else {
#pragma unroll
        for (int m = 0; m < QUAD; ++m)
            if (m < c.n) to[m] = q.v[m];
    }
}

typedef struct four<level_real> levels4;

/* leave_rest: r - A z; z: of the thread's first column. */
template <bool FAST>
__device__ __forceinline__ levels4 leave_rest(const struct columns4 &c, const struct level_columns<FAST> &a,
                                              struct level_plane h, const level_real *z, const levels4 &r,
                                              const levels4 &here, const levels4 &below, const levels4 &above)
{
    const levels4 yl = four_load<FAST>(c, z + c.first.yl), yh = four_load<FAST>(c, z + c.first.yh);
    const level_real xl = z[c.first.xl], xh = z[(FAST ? QUAD : c.n) - 1 + c.last.xh];
    levels4 q;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) {
        const bool at_end = FAST ? m == QUAD - 1 : m == c.n - 1 || m == QUAD - 1;
        const level_real west = m == 0 ? xl : here.v[m == 0 ? 0 : m - 1];
        const level_real east = at_end ? xh : here.v[m == QUAD - 1 ? m : m + 1];
        q.v[m] = r.v[m] -
                 point_level_apply(a[m], h, here.v[m], west, east, yl.v[m], yh.v[m], below.v[m], above.v[m]);
    }
    return q;
}

/* leave_at: what a thread reads of a plane beside z. y: what is known of the correction. */
template <bool FAST, enum previous PREVIOUS, bool STEP>
struct leave_at {
    static constexpr bool LINEAR = PREVIOUS == PREVIOUS_LINEAR,
    LATE = LINEAR || PREVIOUS == PREVIOUS_CONSTANT;
    levels4 r_level, before; struct quad add; struct four<real> r; __device__ __forceinline__ void load(
        const struct columns4 &c, const struct leaving &f, const struct corrector<LINEAR> &y,
        const struct patch &p, const struct level_correction &late, offset o, offset ol,
        int k){r = four_load<FAST>(c, f.r + o); if (STEP) r_level = four_load<FAST>(c, f.r_level + ol);
               if (PREVIOUS != PREVIOUS_NONE) before = four_load<FAST>(c, f.z_prev + ol);
               if (LATE) add = correct<FAST>(y, late, p, k);}
__device__ __forceinline__ level_real previous(const levels4 &here, int m) const
{
    return PREVIOUS == PREVIOUS_NONE ? here.v[m] : LATE ? before.v[m] + add.v[m] : before.v[m];
}
}
;

template <bool FAST, enum previous PREVIOUS, bool STEP>
static __global__ void __launch_bounds__(LEAVE_PIECES *LEAVE_THREADS, 2)
    leave_kernel(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                 const __grid_constant__ struct march m, int across, unsigned around,
                 const struct cg_state *cg, double volume, double factor, level_real momentum,
                 level_real step, const __grid_constant__ struct leaving f,
                 const __grid_constant__ struct level_correction late)
{
    if (cg_ended(cg)) return;
    const double unscale = factor / point_level_scale(cg, volume);
    const struct columns4 c = columns4_make<FAST>(bl, m, across, lb, s, around);
    const struct patch p = {c.i, c.j, c.n, NOWHERE, 0};
    const struct level_columns<FAST> a = level_columns_make<FAST>(lb, s, p);
    struct leave_at<FAST, PREVIOUS, STEP> now, next;
    struct corrector<PREVIOUS == PREVIOUS_LINEAR> y;
    if (next.LATE) y = corrector_make<FAST, PREVIOUS == PREVIOUS_LINEAR>(late, p);
    int bz = (int)blockIdx.z * m.layers, top = bl.z[bz + 1];
    const int z0 = bl.z[bz], z1 = bl.z[min(bz + m.layers, bl.nz)];
    offset o = (offset)at(b, c.i, c.j, z0), ol = (offset)at(lb, c.i, c.j, z0);
    levels4 here = four_load<FAST>(c, f.z + ol), below = here, above = here;
    if (STEP) below = four_load<FAST>(c, f.z + ol + level_below(lb, s, around, z0));
    if (STEP) above = four_load<FAST>(c, f.z + ol + level_above(lb, s, around, z0));
    next.load(c, f, y, p, late, o, ol, z0);
    double part[QUAD] = {};
#pragma unroll 1
    for (int k = z0; k < z1; ++k, o += (offset)b.sz, ol += (offset)lb.sz) {
        const offset higher = ol + (offset)lb.sz;
        levels4 above_next = above;
        now = next;
        if (k + 1 < z1) {
            above_next = four_load<FAST>(c, f.z + higher + (STEP ? level_above(lb, s, around, k + 1) : 0));
            next.load(c, f, y, p, late, o + (offset)b.sz, higher, k + 1);
        }
        if (FAST || c.n > 0) {
            const struct level_plane h = point_level_plane(s, k);
            struct four<real> out;
            struct quad inverse = {};
            levels4 rest = here;
            if (STEP) rest = leave_rest(c, a, h, f.z + ol, now.r_level, here, below, above);
            if (STEP) inverse = level_columns_inverse(a, h);
#pragma unroll
            for (int n = 0; n < QUAD; ++n) {
                const level_real correction = STEP ? rest.v[n] * inverse.v[n] : 0;
                out.v[n] = (real)(unscale * (double)point_level_chebyshev(here.v[n], now.previous(here, n),
                                                                          momentum, step, correction));
                if (FAST || n < c.n) part[n] += (double)out.v[n] * now.r.v[n];
            }
            four_store<FAST>(c, f.z_out + o, out);
        }
        below = here;
        here = STEP ? above : above_next;
        above = above_next;
        if (k + 1 < top) continue;
        leave_fold<FAST>(bl, m, across, bz, part);
#pragma unroll
        for (int n = 0; n < QUAD; ++n) part[n] = 0;
        if (++bz < bl.nz) top = bl.z[bz + 1];
    }
}

/* A template argument for each way. */
template <bool FAST, bool STEP>
static auto leave_choose(level_real momentum, const struct level_correction *late)
{
    return momentum == 0              ? leave_kernel<FAST, PREVIOUS_NONE, STEP>
           : late == NULL             ? leave_kernel<FAST, PREVIOUS_READ, STEP>
           : correction_linear(*late) ? leave_kernel<FAST, PREVIOUS_LINEAR, STEP>
                                      : leave_kernel<FAST, PREVIOUS_CONSTANT, STEP>;
}

kol_status level_leave(struct box b, struct box lb, struct level_stencil s, struct blocks bl,
                       struct cells cells, const struct cg_state *cg, double volume, double factor,
                       level_real momentum, level_real step, const level_real *r_level, const level_real *z,
                       const level_real *z_prev, const struct level_correction *late, const real *r,
                       real *z_out)
{
    static const struct level_correction none = {};
    const struct march m = march_make(bl, TUNE_CHEBYSHEV);
    const struct leaving f = {r_level, z, z_prev, r, z_out};
    if (!level_whole(cells)) return KOL_OK;
    const bool fast = step != 0 && leave_fast(lb, s, bl, m) && (late == NULL || correction_fast(*late));
    const auto kernel = step == 0 ? leave_choose<false, false>(momentum, late)
                        : fast    ? leave_choose<true, true>(momentum, late)
                                  : leave_choose<false, true>(momentum, late);
    const int across = fast ? leave_across(bl, m) : 1, side = fast ? 1 : m.side;
    kernel<<<leave_grid(bl, m, across, side), (unsigned)(across * side * LEAVE_THREADS), 0, queue_stream()>>>(
        b, lb, s, bl, m, across, cells.around, cg, volume, factor, momentum, step, f,
        late != NULL ? *late : none);
    CUDA_LAUNCHED("level_leave");
    return KOL_OK;
}
