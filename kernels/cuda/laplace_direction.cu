#include "../laplace.h"
#include "scalars.cuh"
#include "sweep.cuh"

/* The new direction is not exchanged: each rank forms it on its halo too, by this one operation, so that it
 * has its owner's bits. Where beta = 0 d holds nothing yet. */
__device__ __forceinline__ real combine(real beta, real z, real d)
{
    return fma(beta, d, z);
}

/* The values of z and d that a thread itself is going to combine, its own columns and one of the halo, travel
 * in slots, one of each beside that of the next thread: DIRECTION_AHEAD planes are on their way. */
enum { DIRECTION_AHEAD = 3, DIRECTION_SLOTS = DIRECTION_AHEAD + 1 };

/* besides: ARRAYS arrays beside z and d, of which own values alone are wanted; they travel in the slots, too.
 */
template <int ARRAYS> struct besides {
    const real *array[ARRAYS > 0 ? ARRAYS : 1];
};

/* slot_place: in values of the thread block's threads: of z at column n, of d one further; of the other
 * arrays. */
template <int COLUMNS, int ARRAYS> constexpr int SLOT_VALUES = 2 * (COLUMNS + 1) + COLUMNS *ARRAYS;
template <int COLUMNS, int ARRAYS> __device__ constexpr int besides_place(int column, int array)
{
    return 2 * (COLUMNS + 1) + column * ARRAYS + array;
}

/* Two frames of d_new, then the slots. */
template <int COLUMNS, int ARRAYS>
static inline struct layout direction_layout(struct blocks bl, const struct march &m)
{
    const int frame = frame_values<1, COLUMNS>(m),
              slot = SLOT_VALUES<COLUMNS, ARRAYS> * m.side * PIECE_THREADS;
    return layout_make(levels_values(bl, m, 0), 2 * frame, frame, slot, DIRECTION_SLOTS);
}

/* pairs: the columns of a thread, where the first one and that of the halo lie on the next plane to copy. */
template <int COLUMNS> struct pairs {
    struct columns<COLUMNS> columns;
    struct column own, halo;
};

/* pairs_fetch: this thread's part of plane k, the next one. slot: the thread's own place in it. */
template <int COLUMNS, int ARRAYS>
__device__ __forceinline__ void pairs_fetch(struct pairs<COLUMNS> &a, const struct tile &c, const real *z,
                                            const real *d, const struct besides<ARRAYS> &other, int k,
                                            real *slot, ptrdiff_t step)
{
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        if (!a.columns.own[q] || k > c.z1) continue;
        sweep_copy(slot + 2 * q * blockDim.x, z + a.own.o + a.columns.right[q]);
        sweep_copy(slot + (2 * q + 1) * blockDim.x, d + a.own.o + a.columns.right[q]);
        if (k == c.z1) continue;
#pragma unroll
        for (int n = 0; n < ARRAYS; ++n)
            sweep_copy(slot + besides_place<COLUMNS, ARRAYS>(q, n) * blockDim.x,
                       other.array[n] + a.own.o + a.columns.right[q]);
    }
    if (a.halo.any && k < c.z1) {
        sweep_copy(slot + 2 * COLUMNS * blockDim.x, z + a.halo.o);
        sweep_copy(slot + (2 * COLUMNS + 1) * blockDim.x, d + a.halo.o);
    }
    copy_async_commit();
    a.own.o += step;
    a.halo.o += step;
}

/* pair_combined: d_new at column n of the thread, or at that of the halo, n = COLUMNS, of the plane in a
 * slot. */
__device__ __forceinline__ real pair_combined(real beta, const real *slot, int n)
{
    return combine(beta, slot[2 * n * blockDim.x], slot[(2 * n + 1) * blockDim.x]);
}

/* direction_march: as sweep_star, for d_new = z + beta d, which is formed once for each cell of the tile and
 * its halo and put into a frame, two of which take turns: point(n, o, level, star, own, part), own[]: values
 * of the other arrays. */
template <int SUMS, int MAXIMA, int COLUMNS, int ARRAYS, class Point, class Close>
__device__ __forceinline__ void direction_march(struct box b, struct stencil s, struct blocks bl,
                                                const struct march &m, const struct layout &l,
                                                struct cells cells, const struct tile &c, real beta,
                                                const real *z, const real *d, struct besides<ARRAYS> other,
                                                struct pairs<COLUMNS> a, Point point, Close close)
{
    enum { PITCH = FRAME_PITCH<1, COLUMNS> };
    const struct around r = around_make(b, cells);
    const struct level *const levels = levels_of(c, 0);
    const int mine = (int)threadIdx.x;
    ptrdiff_t o = a.own.o;
    struct star v[COLUMNS];
    const ptrdiff_t below = around_step(b, r, c.z0 - 1);
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) {
        const ptrdiff_t first = o + a.columns.right[q];
        v[q].zl = a.columns.own[q] ? combine(beta, z[first - below], d[first - below]) : 0;
    }
#pragma unroll 1
    for (int n = 0; n <= DIRECTION_AHEAD; ++n)
        pairs_fetch(a, c, z, d, other, c.z0 + n, sweep_shared + l.first + n * l.slot + mine,
                    around_step(b, r, c.z0 + n));
    levels_fill(s, c, 0);
    copy_async_wait<DIRECTION_AHEAD>();
    const real *slot = sweep_shared + l.first + mine;
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q) v[q].c = a.columns.own[q] ? pair_combined(beta, slot, q) : 0;
    int now = l.first; /* slot of plane k */
    sum_sweep<SUMS, MAXIMA, COLUMNS>(
        bl, m, c, 0,
        [&](int k, double *part) {
            /* they lie in the slot that is filled next */
            real own[COLUMNS][ARRAYS > 0 ? ARRAYS : 1];
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) {
#pragma unroll
                for (int n = 0; n < ARRAYS; ++n)
                    own[q][n] =
                        a.columns.own[q]
                            ? sweep_shared[now + mine + besides_place<COLUMNS, ARRAYS>(q, n) * blockDim.x]
                            : 0;
            }
            real *const frame = sweep_shared + l.extra + (k & 1) * l.frame;
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q)
                if (a.columns.own[q]) frame[a.own.place + a.columns.right[q]] = v[q].c;
            if (a.halo.any) frame[a.halo.place] = pair_combined(beta, sweep_shared + now + mine, COLUMNS);
            const int next = k + 1 + DIRECTION_AHEAD, above = slot_above(l, now);
            pairs_fetch(a, c, z, d, other, next, sweep_shared + now + mine, around_step(b, r, next));
            copy_async_wait<DIRECTION_AHEAD>();
            __syncthreads();
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) {
                if (!a.columns.own[q]) continue;
                const real *const place = frame + a.own.place + a.columns.right[q];
                v[q].xl = place[-1];
                v[q].xh = place[1];
                v[q].yl = place[-PITCH];
                v[q].yh = place[PITCH];
                v[q].zh = pair_combined(beta, sweep_shared + above + mine, q);
                point(q, o + a.columns.right[q], levels[k], v[q], own[q], part + q * (SUMS + MAXIMA));
                v[q].zl = v[q].c;
                v[q].c = v[q].zh;
            }
            o += b.sz;
            now = above;
        },
        close);
}

template <int COLUMNS>
__device__ __forceinline__ struct pairs<COLUMNS>
pairs_make(struct box b, struct blocks bl, const struct march &m, const struct tile &c, struct cells cells) {
    const struct around r = around_make(b, cells);
    const struct pairs<COLUMNS> a = {
        columns_of<COLUMNS>(bl, m, c), column_make<1, COLUMNS>(b, r, c, c.i, c.j, c.z0, true),
            column_halo<1, COLUMNS>(b, r, m, c, (int)threadIdx.x, c.z0)
    };
    return a;
}

/* Two columns a thread: as many registers as it likes, 106 in double precision. Held to 64, with more thread
 * blocks on a multiprocessor, it was slower by 13 % and more. */
template <int COLUMNS>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    direction_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                     const __grid_constant__ struct layout plain,
                     const __grid_constant__ struct layout paired, struct cells cells,
                     const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const real beta = cg_beta(cg);
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    const auto add = [&](int q, ptrdiff_t o, struct level level, struct star v, const real *, double *part) {
        const real a = star_apply(pillar[q], level, s.shift, v);
        d_new[o] = v.c;
        part[0] += (double)a * v.c;
    };
    if (beta == 0) {
        const real *const array[] = {z};
        sweep_star<1, 0>(b, s, bl, m, plain, cells, c, columns, array, add, [](double *) {});
    } else {
        direction_march<1, 0>(b, s, bl, m, paired, cells, c, beta, z, d, besides<0>{},
                              pairs_make<COLUMNS>(b, bl, m, c, cells), add, [](double *) {});
    }
}

template <int COLUMNS>
static kol_status direction_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                   struct cells cells, const struct cg_state *cg, const real *z,
                                   const real *d, real *d_new)
{
    const struct layout plain = star_layout<COLUMNS>(bl, m, 1), paired = direction_layout<COLUMNS, 0>(bl, m);
    return sweep_launch("laplace_direction", direction_kernel<COLUMNS>, m.grid, m.side * PIECE_THREADS,
                        d == NULL || plain.end > paired.end ? plain.end : paired.end, b, s, bl, m, plain,
                        paired, cells, cg, z, d, d_new);
}

kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct march m = march_make(bl, d == NULL ? TUNE_FIRST : TUNE_DIRECTION, cells);
    return m.wide == 1 ? direction_launch<1>(b, s, bl, m, cells, cg, z, d, d_new)
                       : direction_launch<2>(b, s, bl, m, cells, cg, z, d, d_new);
}

template <int COLUMNS>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    energy_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                  const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                  const real *z)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    const real *const array[] = {z};
    sweep_star<1, 0>(
        b, s, bl, m, l, cells, c, columns, array,
        [&](int q, ptrdiff_t, struct level level, struct star v, const real *, double *part) {
            const real a = star_apply(pillar[q], level, s.shift, v);
            part[0] += (double)a * v.c;
        },
        [](double *) {});
}

template <int COLUMNS>
static kol_status energy_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                struct cells cells, const struct cg_state *cg, const real *z)
{
    const struct layout l = star_layout<COLUMNS>(bl, m, 1);
    return sweep_launch("laplace_energy", energy_kernel<COLUMNS>, m.grid, m.side * PIECE_THREADS, l.end, b, s,
                        bl, m, l, cells, cg, z);
}

kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z)
{
    const struct march m = march_make(bl, TUNE_FIRST, cells); /* the same loads and sums */
    if (march_none(m)) return KOL_OK;
    return m.wide == 1 ? energy_launch<1>(b, s, bl, m, cells, cg, z)
                       : energy_launch<2>(b, s, bl, m, cells, cg, z);
}

/* The fields of laplace_advance. */
struct advanced {
    const real *z, *d, *x, *r;
    real *d_new, *x_new, *r_new;
};
enum { ADVANCE_BESIDES = 2 };

template <int COLUMNS>
static __global__ void __launch_bounds__(SWEEP_THREADS, COLUMNS == 1 ? SWEEP_BLOCKS : 1)
    advance_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                   const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                   const __grid_constant__ struct advanced f)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg)) return;
    const real alpha = cg_alpha(cg), beta = cg_beta(cg);
    const struct columns<COLUMNS> columns = columns_of<COLUMNS>(bl, m, c);
    struct lap_pillar pillar[COLUMNS];
#pragma unroll
    for (int q = 0; q < COLUMNS; ++q)
        pillar[q] = sweep_pillar(s, columns.own[q], c.i + columns.right[q], c.j);
    direction_march<1, 1>(
        b, s, bl, m, l, cells, c, beta, f.z, f.d, besides<ADVANCE_BESIDES>{{f.x, f.r}},
        pairs_make<COLUMNS>(b, bl, m, c, cells),
        [&](int q, ptrdiff_t o, struct level level, struct star v, const real *own, double *part) {
            const real r = own[1] - alpha * star_apply(pillar[q], level, s.shift, v);
            f.d_new[o] = v.c;
            f.r_new[o] = r;
            f.x_new[o] = own[0] + alpha * v.c;
            part[1] = sum_larger(fabs(r * level.height.inverse), part[1]);
        },
        [&](double *part) {
#pragma unroll
            for (int q = 0; q < COLUMNS; ++q) part[2 * q + 1] /= pillar[q].area;
        });
}

template <int COLUMNS>
static kol_status advance_launch(struct box b, struct stencil s, struct blocks bl, const struct march &m,
                                 struct cells cells, const struct cg_state *cg, struct advanced f)
{
    const struct layout l = direction_layout<COLUMNS, ADVANCE_BESIDES>(bl, m);
    return sweep_launch("laplace_advance", advance_kernel<COLUMNS>, m.grid, m.side * PIECE_THREADS, l.end, b,
                        s, bl, m, l, cells, cg, f);
}

kol_status laplace_advance(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                           const struct cg_state *cg, const real *z, const real *d, real *d_new,
                           const real *x, real *x_new, const real *r, real *r_new)
{
    const struct march m = march_make(bl, TUNE_ADVANCE);
    const struct advanced f = {z, d, x, r, d_new, x_new, r_new};
    return m.wide == 1 ? advance_launch<1>(b, s, bl, m, cells, cg, f)
                       : advance_launch<2>(b, s, bl, m, cells, cg, f);
}

/* The halo as slabs: `layers` layers beyond each face, and with two layers beams of the first layer along the
 * twelve edges. */
enum { HALO_SLABS = FACES, HALO_BEAMS = 12, HALO_PARTS = HALO_SLABS + HALO_BEAMS, HALO_THREADS = 256 };
struct halo_parts {
    int n;
    struct range part[HALO_PARTS];
};

/* beyond: part of a range, `layers` layers on one side (-1, 1) of the box in direction d, or its own extent
 * (0). */
static void beyond(struct range *r, int d, int n, int side, int layers)
{
    r->lo[d] = side < 0 ? -layers : side > 0 ? n : 0;
    r->hi[d] = side < 0 ? 0 : side > 0 ? n + layers : n;
}

/* A part beyond faces that are read around is left out. */
static struct halo_parts halo_parts_make(struct box b, struct cells cells, int layers)
{
    struct halo_parts h;
    h.n = 0;
    for (int place = 0; place < 27; ++place) {
        const int side[3] = {place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1};
        const int outside = (side[X] != 0) + (side[Y] != 0) + (side[Z] != 0);
        int around = 0;
        for (int d = X; d <= Z; ++d) around |= side[d] != 0 && (cells.around >> (2 * d) & 1) != 0;
        if (around || (outside != 1 && !(outside == 2 && layers == 2))) continue;
        struct range *const r = &h.part[h.n++];
        beyond(r, X, b.nx, side[X], outside == 1 ? layers : 1);
        beyond(r, Y, b.ny, side[Y], outside == 1 ? layers : 1);
        beyond(r, Z, b.nz, side[Z], outside == 1 ? layers : 1);
    }
    return h;
}

HD int range_cells(struct range r)
{
    return (r.hi[X] - r.lo[X]) * (r.hi[Y] - r.lo[Y]) * (r.hi[Z] - r.lo[Z]);
}

/* x over the cells of the largest part, y over parts. */
static __global__ void __launch_bounds__(HALO_THREADS)
    direction_halo_kernel(struct box b, const __grid_constant__ struct halo_parts h,
                          const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    const struct range r = h.part[blockIdx.y];
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n >= range_cells(r) || cg_ended(cg)) return;
    const real beta = cg_beta(cg);
    const int ex = r.hi[X] - r.lo[X], ey = r.hi[Y] - r.lo[Y], row = n / ex;
    const ptrdiff_t o = at(b, r.lo[X] + n % ex, r.lo[Y] + row % ey, r.lo[Z] + row / ey);
    d_new[o] = beta == 0 ? z[o] : combine(beta, z[o], d[o]);
}

kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new)
{
    const struct halo_parts h = halo_parts_make(b, cells, layers);
    if (h.n == 0) return KOL_OK;
    int most = 0;
    for (int n = 0; n < h.n; ++n) most = range_cells(h.part[n]) > most ? range_cells(h.part[n]) : most;
    const dim3 grid((unsigned)((most + HALO_THREADS - 1) / HALO_THREADS), (unsigned)h.n);
    direction_halo_kernel<<<grid, HALO_THREADS, 0, queue_stream()>>>(b, h, cg, z, d, d_new);
    CUDA_LAUNCHED("laplace_direction_halo");
    return KOL_OK;
}
