/* Computes the right-hand sides of the momentum equations, and the prediction of a stage. */
#include "../momentum.h"
#include "../point/body.h"
#include "../point/laplace.h"
#include "../point/momentum.h"
#include "../point/update.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* One sweep upwards in z computes all three right-hand sides, because they read the same neighbours.
 * Registers carry the values of the planes below, and the velocities of the thread's own column, from plane
 * to plane. So a point reads 17 values from shared memory instead of 45. */

/* momentum_arrays: the arrays of momentum.h, passed by value because kernels cannot read the caller's arrays
 * of pointers. */
struct momentum_arrays {
    const real *ring[4]; /* u, v, w; with a stage also p */
    const real *base[3]; /* NULL: vel */
    real *old[3];        /* NULL: F is not kept */
    real *out[3];        /* without a stage: F */
    bool read_old;
    const unsigned char *open; /* NULL: there are no bodies */
};

/* carried: values in the own column and beside it, on the present plane and (_below) on the plane before. l
 * and h: lower and higher neighbour. */
struct carried {
    real u, v, w, w_xl, w_yl;
    real u_below, v_below, w_below, u_xh_below, v_yh_below;
    real p_below;
};

/* axis: the part of struct momentum_spacings for one direction: the widths of the cell below and of the cell
 * at the point, their inverses, and the inverse distances from the point to the points below and above. */
struct axis {
    real wl, wh, iwl, iwh, il, ih;
};

__device__ __forceinline__ struct axis axis_at(const real *wc, const real *iwc, const real *iwf, int i)
{
    const struct axis a = {wc[i - 1], wc[i], iwc[i - 1], iwc[i], iwf[i], iwf[i + 1]};
    return a;
}

__device__ __forceinline__ struct momentum_spacings axis_spacings(struct axis d, struct axis e, struct axis f)
{
    const struct momentum_spacings s = {d.wl, d.wh, d.iwl, d.iwh, d.il, e.iwh, e.il, e.ih, f.iwh, f.il, f.ih};
    return s;
}

/* height: metrics of one plane. Those of the planes z0 - 1 .. z1 of the tile lie in shared memory, behind the
 * ring. */
struct __align__(16) height
{
    real w, iw, iwf, unused;
};

__device__ __forceinline__ void heights_load(struct metrics m, struct tile t, struct height *h)
{
    const int threads = (int)(blockDim.x * blockDim.y);
    for (int n = (int)(threadIdx.y * blockDim.x + threadIdx.x); n < t.z1 - t.z0 + 2; n += threads) {
        const int k = t.z0 - 1 + n;
        h[n].w = m.dz_c[k];
        h[n].iw = m.dzi_c[k];
        h[n].iwf = m.dzi_f[k];
    }
}

__device__ __forceinline__ struct axis axis_of_height(const struct height *h)
{
    const struct axis a = {h[-1].w, h[0].w, h[-1].iw, h[0].iw, h[0].iwf, h[1].iwf};
    return a;
}

/* Distances in the ring. */
enum { U = 0, V = RING_FIELD, W = 2 * RING_FIELD, P = 3 * RING_FIELD };

/* momentum_start: makes `carried` for the first plane. below, here: the own column in the ring. */
template <int FIELDS>
__device__ __forceinline__ struct carried momentum_start(const real *below, const real *here)
{
    enum { ROW = FIELDS * RING_FIELD };
    struct carried c;
    c.u = here[U];
    c.v = here[V];
    c.w = here[W];
    c.w_xl = here[W - 1];
    c.w_yl = here[W - ROW];
    c.u_below = below[U];
    c.v_below = below[V];
    c.w_below = below[W];
    c.u_xh_below = below[U + 1];
    c.v_yh_below = below[V + ROW];
    c.p_below = FIELDS > P / RING_FIELD ? below[P] : 0;
    return c;
}

/* forces: which forces a sweep includes: none; the one that is proportional to the velocity; that and the
 * Coriolis force of a turning frame, which reads more neighbours. */
enum forces { NO_FORCES, PULL, TURN_AND_PULL };

/* momentum_point: computes F at the own point, and moves `carried` up one plane. MORE: which
 * forces it includes. PART: leaves out a part of the diffusion in z. */
template <int FIELDS, enum forces MORE, bool PART>
__device__ __forceinline__ void momentum_point(struct carried &c, const real *here, const real *above,
                                               const struct axis axis[3], struct stage s, real f[3])
{
    enum { ROW = FIELDS * RING_FIELD };
    const real u = c.u, v = c.v, w = c.w;
    const real ua = above[U], va = above[V], wa = above[W], w_xla = above[W - 1], w_yla = above[W - ROW];
    const real u_xl = here[U - 1], u_xh = here[U + 1], u_yl = here[U - ROW], u_yh = here[U + ROW];
    const real v_xl = here[V - 1], v_xh = here[V + 1], v_yl = here[V - ROW], v_yh = here[V + ROW];
    const real u_xh_yl = here[U + 1 - ROW], v_xl_yh = here[V - 1 + ROW];
    const real w_xh = here[W + 1], w_yh = here[W + ROW];
    const struct momentum_values at_u = {u, u_xl,    u_xh, u_yl,   u_yh, c.u_below, ua, v_xl,
                                         v, v_xl_yh, v_yh, c.w_xl, w,    w_xla,     wa};
    const struct momentum_values at_v = {v, v_yl,    v_yh, v_xl,   v_xh, c.v_below, va, u_yl,
                                         u, u_xh_yl, u_xh, c.w_yl, w,    w_yla,     wa};
    const struct momentum_values at_w = {w,    c.w_below,    wa,  c.w_xl,       w_xh, c.w_yl,
                                         w_yh, c.u_below,    u,   c.u_xh_below, u_xh, c.v_below,
                                         v,    c.v_yh_below, v_yh};
    const struct momentum_spacings s_u = axis_spacings(axis[X], axis[Y], axis[Z]);
    const struct momentum_spacings s_v = axis_spacings(axis[Y], axis[X], axis[Z]);
    const struct momentum_spacings s_w = axis_spacings(axis[Z], axis[X], axis[Y]);
    f[X] = PART ? point_momentum_in_part(at_u, s_u, s.nu, 1, 1 - s.without) : point_momentum(at_u, s_u, s.nu);
    f[Y] = PART ? point_momentum_in_part(at_v, s_v, s.nu, 1, 1 - s.without) : point_momentum(at_v, s_v, s.nu);
    f[Z] = PART ? point_momentum_in_part(at_w, s_w, s.nu, 1 - s.without, 1) : point_momentum(at_w, s_w, s.nu);
    if (MORE == TURN_AND_PULL) {
        f[X] += point_turn(at_u, s_u, point_turn_of(s.turn, X));
        f[Y] += point_turn(at_v, s_v, point_turn_of(s.turn, Y));
        f[Z] += point_turn(at_w, s_w, point_turn_of(s.turn, Z));
    }
    if (MORE != NO_FORCES) {
        f[X] += point_pull(u, s.pull, s.mean[X]);
        f[Y] += point_pull(v, s.pull, s.mean[Y]);
        f[Z] += point_pull(w, s.pull, s.mean[Z]);
    }
    c = {ua, va, wa, w_xla, w_yla, u, v, w, u_xh, v_yh, c.p_below};
}

/* A slot of the ring also holds base and old of the own columns, behind the plane: POINTS rows for each row
 * of the tile. Each thread copies and reads its own value. */
enum { POINTS = 6, POINTS_ROW = POINTS * RING_COLUMNS };

/* mask: of the point; at closed faces base is not copied. */
template <bool OPEN>
__device__ __forceinline__ void points_fetch(const struct momentum_arrays &a, ptrdiff_t o, unsigned mask,
                                             real *points)
{
#pragma unroll
    for (int d = X; d <= Z; ++d) {
        real *old = points + (d + 3) * RING_COLUMNS;
        if (a.base[d] != NULL && (!OPEN || point_body_open((unsigned char)mask, d)))
            __pipeline_memcpy_async(points + d * RING_COLUMNS, a.base[d] + o, sizeof(real));
        if (a.read_old) __pipeline_memcpy_async(old, a.old[d] + o, sizeof(real));
    }
}

/* stage_point: computes out and old at the own point. vel: the velocity there. p_low: the pressure below it
 * along each direction. inverse: the inverse of the distance to that. */
template <bool OPEN>
__device__ __forceinline__ void
stage_point(const struct momentum_arrays &a, struct stage s, ptrdiff_t o, unsigned mask, const real *points,
            const real vel[3], const real f[3], real p, const real p_low[3], const real inverse[3])
{
#pragma unroll
    for (int d = X; d <= Z; ++d) {
        const real base = a.base[d] != NULL ? points[d * RING_COLUMNS] : vel[d];
        const real old = a.read_old ? points[(d + 3) * RING_COLUMNS] : 0;
        const real change = s.a * f[d] + s.a_old * old;
        const real value = point_predict(base, change, s.dts, p, p_low[d], inverse[d]);
        a.out[d][o] = !OPEN || point_body_open((unsigned char)mask, d) ? value : 0;
        if (a.old[d] != NULL) a.old[d][o] = f[d];
    }
}

/* Number of planes that are being copied: enough bytes to keep the memory busy, and few enough that two tiles
 * fit on a multiprocessor. */
template <bool STAGE> constexpr int RING_AHEAD = STAGE ? 2 : 3;
template <bool STAGE> constexpr int RING_SLOTS = RING_AHEAD<STAGE> + 2;

/* masks: the masks of the own column, a byte for each of the planes whose points are in the ring; the
 * lowest is that of the present plane. The next one is requested a plane ahead of the copies that need it. */
enum { MASKS = 4, MASK_BITS = 8 };
static_assert(RING_SLOTS<true> == MASKS && MASKS * MASK_BITS == 32, "a word holds the masks of all slots");

struct masks {
    unsigned v, next;
};

__device__ __forceinline__ struct masks masks_begin(struct box b, const unsigned char *open,
                                                    const struct tile &t, ptrdiff_t o)
{
    struct masks m = {0, 0};
    for (int n = 0; n < MASKS && t.own; ++n)
        if (t.z0 + n < t.z1) m.v |= (unsigned)open[o + n * b.sz] << (n * MASK_BITS);
    return m;
}

__device__ __forceinline__ unsigned masks_at(const struct masks &m, int n)
{
    return m.v >> (n * MASK_BITS);
}

__device__ __forceinline__ void masks_move(struct masks &m)
{
    m.v = m.v >> MASK_BITS | m.next << ((MASKS - 1) * MASK_BITS);
}

/* layout: the places of a thread's values in shared memory. */
struct layout {
    real *ring;
    int slot;        /* values of a slot */
    int own, points; /* the own column and its points, in a slot */
    struct height *height;
};

template <bool STAGE> __device__ __forceinline__ struct layout layout_make(real *memory)
{
    enum { ROW = (STAGE ? 4 : 3) * RING_FIELD };
    const int rows = (int)blockDim.y, row = (int)threadIdx.y, column = (int)threadIdx.x;
    struct layout l;
    l.ring = memory;
    l.slot = (rows + 2) * ROW + (STAGE ? rows * POINTS_ROW : 0);
    l.own = (row + 1) * ROW + RING_CHUNK + column;
    l.points = (rows + 2) * ROW + row * POINTS_ROW + column;
    l.height = (struct height *)(memory + RING_SLOTS<STAGE> * l.slot);
    return l;
}

/* STAGE: computes momentum_stage; otherwise momentum_rhs. There is one barrier per plane. After the barrier,
 * all threads can read plane k + 1, and no thread reads plane k - 1 any more. So the next plane is copied to
 * the memory of plane k - 1. */
template <bool STAGE, enum forces MORE, bool PART, bool OPEN>
static __global__ void __launch_bounds__(TILE_MOST, 1)
    momentum_kernel(struct box b, struct metrics m, const __grid_constant__ struct tiles tiles,
                    struct stage s, const __grid_constant__ struct momentum_arrays a)
{
    enum { FIELDS = STAGE ? 4 : 3, ROW = FIELDS * RING_FIELD };
    extern __shared__ __align__(16) real memory[];
    const struct tile t = tile_listed(b, tiles);
    struct layout l = layout_make<STAGE>(memory);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    ptrdiff_t o = at(b, i, j, t.z0);
    struct masks masks = {0, 0};
    if (OPEN) masks = masks_begin(b, a.open, t, o);
    heights_load(m, t, l.height);
    struct ring_copies copies = ring_begin<FIELDS>(b, t, a.ring);
#pragma unroll
    for (int n = 0; n < RING_SLOTS<STAGE>; ++n) {
        const int k = t.z0 - 1 + n;
        if (k <= t.z1) ring_fetch(b, copies, l.ring + n * l.slot);
        if (STAGE && n > 0 && k < t.z1 && t.own) {
            points_fetch<OPEN>(a, o + (n - 1) * b.sz, masks_at(masks, n - 1), l.ring + n * l.slot + l.points);
        }
        __pipeline_commit();
    }
    struct axis axis[3] = {axis_at(m.dx_c, m.dxi_c, m.dxi_f, i), axis_at(m.dy_c, m.dyi_c, m.dyi_f, j)};
    __pipeline_wait_prior(RING_SLOTS<STAGE> - 2);
    __syncthreads();
    struct carried c = momentum_start<FIELDS>(l.ring + l.own, l.ring + l.slot + l.own);
    real *below = l.ring, *here = l.ring + l.slot; /* slots of planes k - 1 and k */
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k) {
        real *above = here < l.ring + (RING_SLOTS<STAGE> - 1) * l.slot ? here + l.slot : l.ring;
        if (OPEN && k + MASKS < t.z1 && t.own) masks.next = a.open[o + MASKS * b.sz];
        __pipeline_wait_prior(RING_AHEAD<STAGE> - 1);
        __syncthreads();
        if (k + RING_AHEAD<STAGE> < t.z1) ring_fetch(b, copies, below);
        if (STAGE && k + RING_AHEAD<STAGE> + 1 < t.z1 && t.own) {
            points_fetch<OPEN>(a, o + (RING_AHEAD<STAGE> + 1) * b.sz, masks_at(masks, MASKS - 1),
                               below + l.points);
        }
        __pipeline_commit();
        if (t.own) {
            const real vel[3] = {c.u, c.v, c.w}, *p = here + l.own + P;
            real f[3];
            axis[Z] = axis_of_height(++l.height);
            momentum_point<FIELDS, MORE, PART>(c, here + l.own, above + l.own, axis, s, f);
            if (STAGE) {
                const real p_low[3] = {p[-1], p[-ROW], c.p_below};
                const real inverse[3] = {axis[X].il, axis[Y].il, axis[Z].il};
                stage_point<OPEN>(a, s, o, masks.v, here + l.points, vel, f, p[0], p_low, inverse);
                c.p_below = p[0];
            } else {
                for (int d = X; d <= Z; ++d) a.out[d][o] = f[d];
            }
        }
        if (OPEN) masks_move(masks);
        o += b.sz;
        below = here;
        here = above;
    }
}

template <bool STAGE, enum forces MORE, bool PART = false, bool OPEN = false>
static kol_status momentum_launch(enum tune_kernel which, struct box b, struct metrics m, struct cells cells,
                                  struct stage stage, const struct momentum_arrays &a)
{
    const int fields = STAGE ? 4 : 3;
    const struct shape s = shape_chosen(which);
    if (!ring_fits(s, fields)) RAISE(KOL_ERR_INTERNAL, "%s: no tile of %d x %d", tune_name(which), s.x, s.y);
    const struct tiles tiles = tiles_make(b, s, cells);
    if (tiles.count == 0) return KOL_OK;
    const size_t values =
        (size_t)RING_SLOTS<STAGE> * (ring_values(s, fields) + (STAGE ? POINTS * s.x * s.y : 0));
    const size_t bytes = values * sizeof(real) + (size_t)(s.z + 2) * sizeof(struct height);
    const auto kernel = momentum_kernel<STAGE, MORE, PART, OPEN>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<(unsigned)tiles.count, tile_threads(s), bytes, queue_stream()>>>(b, m, tiles, stage, a);
    CUDA_LAUNCHED(tune_name(which));
    return KOL_OK;
}

kol_status momentum_rhs(struct box b, struct metrics m, struct cells cells, real nu, const real *u,
                        const real *v, const real *w, real *ru, real *rv, real *rw)
{
    const struct momentum_arrays a = {{u, v, w}, {NULL}, {NULL}, {ru, rv, rw}, false, NULL};
    const struct stage s = {nu, 1, 0, 0, {0, 0, 0}, 0, {0, 0, 0}, 0};
    TRY((momentum_launch<false, NO_FORCES>(TUNE_MOMENTUM, b, m, cells, s, a)));
    return KOL_OK;
}

static struct momentum_arrays stage_arrays(struct stage s, real *const vel[3], real *const base[3],
                                           const real *p, real *const old[3], real *const out[3])
{
    struct momentum_arrays a;
    for (int d = X; d <= Z; ++d) {
        a.ring[d] = vel[d];
        a.base[d] = base[d] != vel[d] ? base[d] : NULL;
        a.old[d] = old != NULL ? old[d] : NULL;
        a.out[d] = out[d];
    }
    a.ring[3] = p;
    a.read_old = old != NULL && s.a_old != 0;
    a.open = NULL;
    return a;
}

static enum forces forces_of(struct stage s)
{
    const bool turns = s.turn[X] != 0 || s.turn[Y] != 0 || s.turn[Z] != 0;
    return turns ? TURN_AND_PULL : s.pull != 0 ? PULL : NO_FORCES;
}

kol_status momentum_stage_open(struct box b, struct metrics m, struct cells cells, struct stage s,
                               const unsigned char *open, real *const vel[3], real *const base[3],
                               const real *p, real *const old[3], real *const out[3])
{
    struct momentum_arrays a = stage_arrays(s, vel, base, p, old, out);
    a.open = open;
    return forces_of(s) != NO_FORCES
               ? momentum_launch<true, TURN_AND_PULL, false, true>(TUNE_STAGE, b, m, cells, s, a)
               : momentum_launch<true, NO_FORCES, false, true>(TUNE_STAGE, b, m, cells, s, a);
}

kol_status momentum_stage(struct box b, struct metrics m, struct cells cells, struct stage s,
                          real *const vel[3], real *const base[3], const real *p, real *const old[3],
                          real *const out[3])
{
    const struct momentum_arrays a = stage_arrays(s, vel, base, p, old, out);
    const enum forces more = forces_of(s);
    if (s.without != 0)
        return more != NO_FORCES ? momentum_launch<true, TURN_AND_PULL, true>(TUNE_STAGE, b, m, cells, s, a)
                                 : momentum_launch<true, NO_FORCES, true>(TUNE_STAGE, b, m, cells, s, a);
    return more == TURN_AND_PULL ? momentum_launch<true, TURN_AND_PULL>(TUNE_STAGE, b, m, cells, s, a)
           : more == PULL        ? momentum_launch<true, PULL>(TUNE_STAGE, b, m, cells, s, a)
                                 : momentum_launch<true, NO_FORCES>(TUNE_STAGE, b, m, cells, s, a);
}

/* The shape of stencil_source. It has so many planes that those beyond the ends of the march hardly
 * matter. */
static const struct shape TILE_SOURCE = {64, 8, 16};

/* The plane above is loaded one plane ahead, so its neighbours in x and y are in the L1 cache when they are
 * read. */
static __global__ void __launch_bounds__(TILE_MOST, 2)
    source_kernel(struct box b, struct stencil s, int planes, real factor, const real *KOL_RESTRICT base,
                  const real *KOL_RESTRICT x, real *KOL_RESTRICT y)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    const struct lap_axis ax = point_lap_axis(s.wx, s.gx, t.i), ay = point_lap_axis(s.wy, s.gy, t.j);
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
    real below = x[o - b.sz], c = x[o], above = x[o + b.sz], own = base != NULL ? base[o] : 0;
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const bool more = k + 1 < t.z1;
        const real next = more ? x[o + 2 * b.sz] : 0, next_own = more && base != NULL ? base[o + b.sz] : 0;
        const struct lap_coef coef =
            point_lap_coef_of(s.scale, s.shift, ax, ay, point_lap_axis(s.wz, s.gz, k));
        const real a =
            point_lap_apply(coef, 0, c, x[o - 1], x[o + 1], x[o - b.sy], x[o + b.sy], below, above);
        y[o] = point_source(coef, own, factor, a);
        below = c;
        c = above;
        above = next;
        own = next_own;
    }
}

kol_status stencil_source(struct box b, struct stencil s, real factor, const real *base, const real *x,
                          real *y)
{
    s.scale = 1;
    source_kernel<<<tile_grid(b, TILE_SOURCE), tile_threads(TILE_SOURCE), 0, queue_stream()>>>(
        b, s, TILE_SOURCE.z, factor, base, x, y);
    CUDA_LAUNCHED("stencil_source");
    return KOL_OK;
}
