/* The sweeps of conjugate gradients on the first level, and the correction by what they found. */
#include "../level_cg.h"
#include "../point/body.h"
#include "../point/projection.h"
#include "../point/update.h"
#include "level_pairs.cuh"
#include "tile.cuh"
#include "wave_rows.cuh"

/* ahead: what a thread reads for a plane: r, and z of the plane above; with bodies also the bits of the
 * faces. */
template <bool MASKED> struct ahead {
    levels2 r, above;
};
template <> struct ahead<true> {
    levels2 r, above;
    struct pair<unsigned char> open;
};

/* opens_of: the bits of the faces of a cell; without bodies all of them. has_closed: returns whether a cell
 * of the warp has a closed face; if not, the weights are 1 and the bits those of the box without bodies. All
 * lanes must call it. */
enum { ALL_OPEN = (1 << FACES) - 1 };
__device__ __forceinline__ unsigned opens_of(const struct ahead<true> &a, int n)
{
    return a.open.v[n];
}
__device__ __forceinline__ unsigned opens_of(const struct ahead<false> &, int)
{
    return ALL_OPEN;
}
template <bool FAST, bool MASKED> __device__ __forceinline__ bool has_closed(const struct ahead<MASKED> &a)
{
    if (!FAST || !MASKED) return MASKED;
    bool closed = false;
#pragma unroll
    for (int n = 0; n < PAIRS_COLUMNS; ++n) closed = closed || (opens_of(a, n) & ALL_OPEN) != ALL_OPEN;
    return __any_sync(0xffffffffu, closed);
}

/* sweep: the arguments of a sweep. march: the planes of a thread, as in level_leave.cu. */
struct sweep {
    const level_real *z;
    level_real *r;
};
struct climb {
    int z0, z1;
    offset o, top;
};

template <bool FAST, bool MASKED>
__device__ __forceinline__ struct ahead<MASKED> ahead_load(struct box b, const struct level_stencil &s,
                                                           const struct columns2 &c, const struct climb &w,
                                                           const struct sweep &f, int k) {
    const offset place = w.o + (offset)k * (offset)b.sz;
    struct ahead<MASKED> p;
    p.above = pair_load<FAST>(c, f.z + (offset)(k + 1 < w.z1 ? place + (offset)b.sz : w.top));
    p.r = pair_load<FAST>(c, f.r + place);
    if constexpr (MASKED) p.open = pair_load<FAST>(c, s.open + place);
    return p;
}

/* products: r.z, z.A z, V z of a cell. reduced: what is left of r, its sum and its size. */
struct products {
    enum { PARTS = 3, SUMS = 3, KEEPS = 0 };
    __device__ __forceinline__ level_real cell(level_real volume, level_real r, level_real z, level_real az,
                                               double (&part)[PARTS][PAIRS_COLUMNS], int n) const
    {
        part[0][n] += (double)r * z;
        part[1][n] += (double)az * z;
        part[2][n] += (double)volume * z;
        return r;
    }
};
template <bool KEEP> struct reduced {
    enum { PARTS = 2, SUMS = 1, KEEPS = KEEP };
    level_real alpha;
    __device__ __forceinline__ level_real cell(level_real volume, level_real r, level_real, level_real ad,
                                               double (&part)[PARTS][PAIRS_COLUMNS], int n) const
    {
        const level_real q = r - alpha * ad;
        part[0][n] += q;
        part[1][n] = sum_larger(fabs(q / volume), part[1][n]);
        return q;
    }
};

template <bool FAST, class WORK, int Q = 0>
__device__ __forceinline__ void fold_all(struct blocks bl, const struct march &m, int across, int bz,
                                         double (&part)[WORK::PARTS][PAIRS_COLUMNS])
{
    if constexpr (Q < WORK::PARTS) {
        pairs_fold<FAST, Q, (Q >= WORK::SUMS)>(bl, m, across, bz, part[Q]);
        fold_all<FAST, WORK, Q + 1>(bl, m, across, bz, part);
    }
}

template <bool FAST, bool MASKED, class WORK>
static __global__ void __launch_bounds__(PAIRS_PIECES *PAIRS_THREADS, 2)
    sweep_kernel(struct box b, struct level_stencil s, struct blocks bl,
                 const __grid_constant__ struct march m, int across, unsigned around, struct sweep f,
                 const __grid_constant__ WORK work)
{
    const struct columns2 c = columns2_make<FAST>(bl, m, across, b, s, around);
    struct level_column a[FAST ? 1 : PAIRS_COLUMNS];
#pragma unroll
    for (int n = 0; n < (FAST ? 1 : PAIRS_COLUMNS); ++n)
        a[n] = point_level_column(s, min(c.i + n, b.nx - 1), c.j);
    int bz = (int)blockIdx.z * m.layers, top = bl.z[bz + 1];
    struct climb w = {bl.z[bz], bl.z[min(bz + m.layers, bl.nz)], (offset)at(b, c.i, c.j, 0), 0};
    const offset lowest = w.o + (offset)w.z0 * (offset)b.sz;
    w.top = w.o + (offset)(w.z1 - 1) * (offset)b.sz + (offset)level_above(b, s, around, w.z1 - 1);
    levels2 here = pair_load<FAST>(c, f.z + lowest);
    levels2 below = pair_load<FAST>(c, f.z + (offset)(lowest + (offset)level_below(b, s, around, w.z0)));
    struct ahead<MASKED> next[PAIRS_AHEAD];
#pragma unroll
    for (int n = 0; n < PAIRS_AHEAD; ++n)
        next[n] = ahead_load<FAST, MASKED>(b, s, c, w, f, min(w.z0 + n, w.z1 - 1));
    struct pairs_sides sides_next = pairs_sides<FAST>(c, f.z + lowest);
    double part[WORK::PARTS][PAIRS_COLUMNS] = {};
#pragma unroll 1
    for (int k = w.z0; k < w.z1; ++k) {
        const struct ahead<MASKED> now = next[0];
        const struct pairs_sides sides = sides_next;
#pragma unroll
        for (int n = 1; n < PAIRS_AHEAD; ++n) next[n - 1] = next[n];
        if (k + PAIRS_AHEAD < w.z1)
            next[PAIRS_AHEAD - 1] = ahead_load<FAST, MASKED>(b, s, c, w, f, k + PAIRS_AHEAD);
        const offset plane = w.o + (offset)k * (offset)b.sz;
        if (k + 1 < w.z1) sides_next = pairs_sides<FAST>(c, f.z + (offset)(plane + (offset)b.sz));
        const bool masked = has_closed<FAST>(now);
        if (FAST || c.n > 0) {
            const struct level_plane h = point_level_plane(s, k);
            levels2 out;
#pragma unroll
            for (int n = 0; n < PAIRS_COLUMNS; ++n) {
                struct level_column column = a[FAST ? 0 : n];
                struct level_plane height = h;
                if (MASKED && masked) {
                    const struct level_open open = point_level_open_bits(opens_of(now, n));
                    column = point_level_column_open(column, open);
                    height = point_level_plane_open(h, open);
                }
                const bool at_end = FAST ? n == PAIRS_COLUMNS - 1 : n == c.n - 1 || n == PAIRS_COLUMNS - 1;
                const level_real west = n == 0 ? sides.xl : here.v[n == 0 ? 0 : n - 1];
                const level_real east = at_end ? sides.xh : here.v[n == PAIRS_COLUMNS - 1 ? n : n + 1];
                const level_real az = point_level_apply(column, height, here.v[n], west, east, sides.yl.v[n],
                                                        sides.yh.v[n], below.v[n], now.above.v[n]);
                if (FAST || n < c.n)
                    out.v[n] = work.cell(column.area * h.w, now.r.v[n], here.v[n], az, part, n);
            }
            if (WORK::KEEPS) pair_store<FAST>(c, f.r + plane, out);
        }
        below = here;
        here = now.above;
        if (k + 1 < top) continue;
        fold_all<FAST, WORK>(bl, m, across, bz, part);
#pragma unroll
        for (int q = 0; q < WORK::PARTS; ++q)
#pragma unroll
            for (int n = 0; n < PAIRS_COLUMNS; ++n) part[q][n] = 0;
        if (++bz < bl.nz) top = bl.z[bz + 1];
    }
}

template <class WORK>
static kol_status sweep(const char *name, struct box lb, struct level_stencil s, struct blocks bl,
                        struct cells cells, struct sweep f, WORK work)
{
    const struct march m = march_make(bl, TUNE_CHEBYSHEV);
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "%s: the first level has no words", name);
    if (!level_compute_all(cells)) return KOL_OK;
    const bool fast = pairs_fast(lb, s, bl, m);
    const auto kernel = s.open != NULL
                            ? (fast ? sweep_kernel<true, true, WORK> : sweep_kernel<false, true, WORK>)
                            : (fast ? sweep_kernel<true, false, WORK> : sweep_kernel<false, false, WORK>);
    const int across = fast ? pairs_across(bl, m) : 1, side = fast ? 1 : m.side;
    kernel<<<pairs_grid(bl, m, across, side), (unsigned)(across * side * PAIRS_THREADS), 0, queue_stream()>>>(
        lb, s, bl, m, across, cells.around, f, work);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

kol_status level_products(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                          const level_real *r, const level_real *z)
{
    const struct sweep f = {z, (level_real *)r}; /* r is not written */
    const struct products work = {};
    return sweep("level_products", lb, s, bl, cells, f, work);
}

kol_status level_reduce(struct box lb, struct level_stencil s, struct blocks bl, struct cells cells,
                        level_real alpha, int keep, const level_real *d, level_real *r)
{
    const struct sweep f = {d, r};
    const struct reduced<true> kept = {
        alpha
    };
    const struct reduced<false> summed = {
        alpha
    };
    return keep ? sweep("level_reduce", lb, s, bl, cells, f, kept)
                : sweep("level_reduce", lb, s, bl, cells, f, summed);
}

/* Sweeps that write to an array which they read: threads go through as few planes as a launch allows, usually
 * one, since several make such stores slow (docs/performance/README.md). */
enum { GRID_MOST = 65535 };

static int few_planes(struct box b)
{
    return level_tiles(b.nz, GRID_MOST);
}

/* fours: four values that lie side by side; rows begin with complete ones (level_box()). */
enum { FOURS = 4 };
struct __align__(16) fours
{
    level_real v[FOURS];
};

static __host__ __device__ __forceinline__ int fours_in(int n)
{
    return (n + FOURS - 1) / FOURS;
}

__device__ __forceinline__ void turn_one(int first, level_real alpha, level_real beta, level_real z,
                                         level_real &d, level_real &x)
{
    const level_real before = d;
    x = (first ? 0 : x) + alpha * before;
    d = z + beta * before;
}

/* A thread takes four columns. */
static __global__ void __launch_bounds__(LEVEL_THREADS)
    turn_kernel(struct box b, int planes, int first, level_real alpha, level_real beta,
                const level_real *KOL_RESTRICT z, level_real *KOL_RESTRICT d, level_real *KOL_RESTRICT x)
{
    const struct level_spot a = level_spot(fours_in(b.nx), b.ny, b.nz, planes);
    if (!a.own) return;
    const int i = FOURS * a.i, n = min((int)FOURS, b.nx - i);
    ptrdiff_t o = at(b, i, a.j, a.z0);
    for (int k = a.z0; k < a.z1; ++k, o += b.sz) {
        if (n == FOURS) {
            struct fours turned = *(const struct fours *)(d + o), sum = {};
            const struct fours add = *(const struct fours *)(z + o);
            if (!first) sum = *(const struct fours *)(x + o);
#pragma unroll
            for (int m = 0; m < FOURS; ++m) turn_one(first, alpha, beta, add.v[m], turned.v[m], sum.v[m]);
            *(struct fours *)(x + o) = sum;
            *(struct fours *)(d + o) = turned;
        } else {
            for (int m = 0; m < n; ++m) turn_one(first, alpha, beta, z[o + m], d[o + m], x[o + m]);
        }
    }
}

kol_status level_turn(struct box lb, int first, level_real alpha, level_real beta, const level_real *z,
                      level_real *d, level_real *x)
{
    const int planes = few_planes(lb), wide = fours_in(lb.nx);
    turn_kernel<<<level_grid(wide, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(
        lb, planes, first, alpha, beta, z, d, x);
    CUDA_LAUNCHED("level_turn");
    return KOL_OK;
}

/* phi at one place. */
template <bool TWO> __device__ __forceinline__ real phi_at(const struct level_sum &f, ptrdiff_t o)
{
    const real one = (real)f.a * (real)f.d[o];
    return TWO ? one + (real)f.c * (real)f.x[o] : one;
}

template <bool TWO>
static __global__ void __launch_bounds__(LEVEL_THREADS)
    add_kernel(struct box b, int planes, const __grid_constant__ struct level_sum f, real *KOL_RESTRICT x)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    ptrdiff_t o = at(b, a.i, a.j, a.z0), l = at(f.box, a.i, a.j, a.z0);
    for (int k = a.z0; k < a.z1; ++k, o += b.sz, l += f.box.sz) x[o] += phi_at<TWO>(f, l);
}

kol_status level_add(struct box b, struct level_sum phi, real *x)
{
    const int planes = few_planes(b);
    const auto kernel = phi.x != NULL ? add_kernel<true> : add_kernel<false>;
    kernel<<<level_grid(b.nx, b.ny, b.nz, planes), level_block(), 0, queue_stream()>>>(b, planes, phi, x);
    CUDA_LAUNCHED("level_add");
    return KOL_OK;
}

/* Across a wall the gradient is multiplied by 0; the own value stands for the one beyond. WAVES: a field of
 * waves is added. MASKED: closed faces of s.open keep their velocity, and p is 0 in dead cells. */
template <bool TWO, bool PRESSURE, bool WAVES, bool MASKED>
static __global__ void __launch_bounds__(TILE_MOST, 2)
    correct_kernel(struct box b, struct stencil s, int planes, struct correction a,
                   const __grid_constant__ struct level_sum f, const real *p_old, real *p,
                   real *KOL_RESTRICT u, real *KOL_RESTRICT v, real *KOL_RESTRICT w)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const struct box q = f.box;
    const real gx = s.gx[t.i], gy = s.gy[t.j];
    const ptrdiff_t x_low = gx != 0 ? level_turned(t.i - 1, b.nx, f.around, X) - t.i : 0,
                    y_low = gy != 0 ? (level_turned(t.j - 1, b.ny, f.around, Y) - t.j) * q.sy : 0;
    ptrdiff_t o = at(b, t.i, t.j, t.z0), l = at(q, t.i, t.j, t.z0);
    real below =
        s.gz[t.z0] != 0 ? phi_at<TWO>(f, l + (level_turned(t.z0 - 1, b.nz, f.around, Z) - t.z0) * q.sz) : 0;
    struct wave_column column = {};
    if (WAVES) column = wave_column_of(b, a.waves, t);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz, l += q.sz) {
        const real c = phi_at<TWO>(f, l), west = phi_at<TWO>(f, l + x_low), south = phi_at<TWO>(f, l + y_low);
        /* all loads come before the first store, so that they run at the same time */
        const double share = WAVES ? wave_column_load(b, a.waves, column, t.j, k) : 0;
        real old_u = u[o], old_v = v[o], old_w = w[o];
        const real gz = s.gz[k], old = PRESSURE ? p_old[o] : 0;
        const unsigned char open = MASKED ? s.open[o] : 0;
        const real u_shift = point_shift(a.shift[X], a.profile, k),
                   v_shift = point_shift(a.shift[Y], a.profile, k);
        if (WAVES) wave_column_add(b, a.waves, column, t.j, k, share, old_u, old_v, old_w);
        const real new_u = point_correct(old_u + u_shift, a.dts, c, west, gx),
                   new_v = point_correct(old_v + v_shift, a.dts, c, south, gy),
                   new_w = point_correct(old_w + a.shift[Z], a.dts, c, below, gz);
        u[o] = !MASKED || point_body_open(open, X) ? new_u : old_u;
        v[o] = !MASKED || point_body_open(open, Y) ? new_v : old_v;
        w[o] = !MASKED || point_body_open(open, Z) ? new_w : old_w;
        if (PRESSURE) p[o] = !MASKED || open != 0 ? old + (c - a.mean) : 0;
        below = c;
    }
}

/* Returns the kernel of a correction. */
template <bool TWO>
static decltype(&correct_kernel<TWO, true, false, false>) correct_choose(bool bodies, bool pressure,
                                                                         bool waves)
{
    if (bodies) return correct_kernel<TWO, true, false, true>;
    if (waves)
        return pressure ? correct_kernel<TWO, true, true, false> : correct_kernel<TWO, false, true, false>;
    return pressure ? correct_kernel<TWO, true, false, false> : correct_kernel<TWO, false, false, false>;
}

kol_status project_correct_single(struct box b, struct stencil s, struct correction c, struct level_sum phi,
                                  const real *p_old, real *p, real *u, real *v, real *w)
{
    struct shape shape = shape_chosen(TUNE_CORRECT);
    if (b.ny > GRID_MOST || b.nz > GRID_MOST) shape = TILE_PLAIN; /* no more blocks in y and z */
    if (shape.x * shape.y > TILE_MOST)
        RAISE(KOL_ERR_INTERNAL, "project_correct_single: no launch has tiles of %d x %d", shape.x, shape.y);
    if (c.factor != 0) RAISE(KOL_ERR_INTERNAL, "project_correct_single: not with implicit diffusion");
    if (s.open != NULL && (p == NULL || c.waves.row != NULL))
        RAISE(KOL_ERR_INTERNAL, "project_correct_single: with bodies there is a pressure, and no waves");
    const auto kernel = phi.x != NULL ? correct_choose<true>(s.open != NULL, p != NULL, c.waves.row != NULL)
                                      : correct_choose<false>(s.open != NULL, p != NULL, c.waves.row != NULL);
    kernel<<<tile_grid(b, shape), tile_threads(shape), 0, queue_stream()>>>(b, s, shape.z, c, phi, p_old, p,
                                                                            u, v, w);
    CUDA_LAUNCHED("project_correct_single");
    return KOL_OK;
}

/* beyond: the layer beyond the low face in each of n directions. wide, tall: most cells of a layer. */
struct beyond {
    int n, d[3], wide, tall;
};

/* Blocks of one layer are blockIdx.z of the grid. */
template <bool TWO>
static __global__ void __launch_bounds__(LEVEL_THREADS)
    beyond_kernel(struct box b, struct beyond of, const unsigned char *open, real mean,
                  const __grid_constant__ struct level_sum f, const real *p_old, real *p)
{
    const int d = of.d[blockIdx.z], wide = d == X ? b.ny : b.nx, tall = d == Z ? b.ny : b.nz;
    const int a = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int c = (int)(blockIdx.y * blockDim.y + threadIdx.y); c < tall; c += (int)(gridDim.y * blockDim.y)) {
        if (a >= wide) continue;
        const int i = d == X ? -1 : a, j = d == X ? a : d == Y ? -1 : c, k = d == Z ? -1 : c;
        const ptrdiff_t o = at(b, i, j, k);
        const real phi = phi_at<TWO>(f, at(f.box, i, j, k));
        p[o] = open == NULL || open[o] != 0 ? p_old[o] + (phi - mean) : 0;
    }
}

kol_status project_pressure_beyond(struct box b, const unsigned char *open, real mean, unsigned faces,
                                   struct level_sum phi, const real *p_old, real *p)
{
    struct beyond of = {};
    for (int d = X; d <= Z; ++d) {
        if (!(faces >> (2 * d) & 1u)) continue;
        of.d[of.n++] = d;
        of.wide = max(of.wide, d == X ? b.ny : b.nx);
        of.tall = max(of.tall, d == Z ? b.ny : b.nz);
    }
    if (of.n == 0) return KOL_OK;
    const dim3 grid(tile_ceil(of.wide, LEVEL_X), min(tile_ceil(of.tall, LEVEL_Y), (unsigned)GRID_MOST),
                    (unsigned)of.n);
    const auto kernel = phi.x != NULL ? beyond_kernel<true> : beyond_kernel<false>;
    kernel<<<grid, level_block(), 0, queue_stream()>>>(b, of, open, mean, phi, p_old, p);
    CUDA_LAUNCHED("project_pressure_beyond");
    return KOL_OK;
}
