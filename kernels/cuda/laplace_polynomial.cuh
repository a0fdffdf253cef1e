/* The sweep of laplace_start.cu and laplace_update.cu for polynomials of degree 1.
 *
 * y = r / D is formed once for each own column, and once for each column of the ring round the tile, which is
 * one cell wide. Extra warps form the ring. The threads exchange y through shared memory, in which two planes
 * take turns. Own columns and ring columns run the same instructions, so the ring gets the same bits as the
 * thread block that owns its cells. While y of plane `up` is formed, z of the plane below it, k, follows. */
#ifndef KOL_CUDA_LAPLACE_POLYNOMIAL_CUH
#define KOL_CUDA_LAPLACE_POLYNOMIAL_CUH

#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

/* Launch bounds. UPDATE_THREADS is larger than the number of threads that are launched: this leaves 80
 * registers, without spills, and two thread blocks of one piece on a multiprocessor. The start needs fewer
 * registers and gets three such blocks; its shapes have one piece. */
enum { UPDATE_THREADS = 768, START_THREADS = 384, START_BLOCKS = 3 };

/* vectors: the fields of the update. The start has r and z alone. */
struct vectors {
    const real *d, *r;
    const real *x;
    real *x_new, *r_new, *z;
};

static inline int polynomial_threads(const struct march &m)
{
    return m.side * PIECE_THREADS + (halo_cells<1>(m) + PIECE_WARP - 1) / PIECE_WARP * PIECE_WARP;
}

/* Shared memory holds two planes of y, then the slots. A slot of the update holds d, then r, with one value
 * for each thread, then x, with one value for each own column. A slot of the start holds r. */
static inline struct layout polynomial_layout(struct blocks bl, const struct march &m, bool update)
{
    const int frame = frame_values<2>(m), threads = polynomial_threads(m);
    const int slot = update ? frame + threads + m.side * PIECE_THREADS : threads;
    return layout_make(levels_values(bl, m, 1), 2 * frame, frame, slot, SWEEP_SLOTS);
}

/* wall_planes: planes low <= k < high. planes_kept: returns the planes of a column on which r_new is
 * written. Own columns write their own planes and the halo planes below and above the box. Ring columns
 * write the halo beyond the other faces. */
struct wall_planes {
    int low, high;
};

__device__ __forceinline__ struct wall_planes planes_kept(struct box b, struct around r, const struct tile &c,
                                                          bool here, int i, int j)
{
    struct wall_planes a = {c.z0, c.z1};
    if (c.own && c.z0 == 0 && !r.z) a.low = -1;
    if (c.own && c.z1 == b.nz && !r.z) a.high = b.nz + 1;
    const bool outside = (!r.x && (i < 0 || i >= b.nx)) || (!r.y && (j < 0 || j >= b.ny));
    if (!here || !(c.own || outside)) a.high = a.low;
    return a;
}

/* worker: a thread of the tile or of its ring, or one that only copies. It may have a column, with the values
 * of d below, at and above the plane. It may also have a column of the halo, which it copies. */
struct worker {
    bool here; /* whether it has a column */
    struct wall_planes kept;
    struct lap_pillar pillar;
    struct column own, halo;
    ptrdiff_t o; /* where its plane below the tile lies in memory, halo or not */
    int own_r;   /* place in a slot of its r; that of x is blockDim.x further */
    struct star d;
};

template <bool UPDATE>
__device__ __forceinline__ struct worker worker_make(struct box b, struct stencil s, const struct march &m,
                                                     const struct layout &l, struct around r,
                                                     const struct tile &c, const struct vectors &f)
{
    const int ring = (int)threadIdx.x - m.side * PIECE_THREADS;
    int i = c.i, j = c.j;
    struct worker a;
    a.here = halo_cell<1>(m, c, ring, &i, &j) || c.own;
    a.kept = planes_kept(b, r, c, a.here, i, j);
    a.pillar = sweep_pillar(s, a.here, i, j);
    a.own = column_make<2>(b, r, c, i, j, c.z0 - 1, a.here);
    a.halo = column_halo<2>(b, r, m, c, ring >= 0 ? ring : ring + (int)blockDim.x, c.z0 - 1);
    a.o = a.here ? at(b, i, j, c.z0 - 1) : 0;
    a.own_r = (UPDATE ? l.frame : 0) + (int)threadIdx.x;
    a.d.zl = UPDATE && c.own ? f.d[a.own.o - b.sz] : 0;
    a.d.c = UPDATE && a.here ? f.d[a.own.o] : 0;
    return a;
}

/* worker_fetch: copies this thread's part of plane k, which is the next one. begun: whether x is copied, too;
 * it is from the first own plane on. */
template <bool UPDATE>
__device__ __forceinline__ void worker_fetch(struct worker *a, const struct tile &c, const struct vectors &f,
                                             int k, int slot, bool begun, ptrdiff_t step)
{
    real *const to = sweep_shared + slot;
    if (a->here && k <= c.z1) sweep_copy(to + a->own_r, f.r + a->own.o);
    if constexpr (UPDATE) {
        if (c.own && k <= c.z1 + 1) sweep_copy(to + a->own.place, f.d + a->own.o);
        if (a->halo.any && k <= c.z1) sweep_copy(to + a->halo.place, f.d + a->halo.o);
        if (c.own && begun && k < c.z1) sweep_copy(to + a->own_r + blockDim.x, f.x + a->own.o);
    }
    copy_async_commit();
    a->own.o += step;
    a->halo.o += step;
}

/* worker_advance: returns r - alpha A d on plane k, at o in the fields, and stores r_new and x. */
__device__ __forceinline__ real worker_advance(struct worker *a, const struct tile &c,
                                               const struct vectors &f, struct level level, real shift,
                                               real alpha, int k, ptrdiff_t o, const real *slot,
                                               const real *slot_of_above)
{
    const real *const d = slot + a->own.place;
    a->d.xl = d[-1];
    a->d.xh = d[1];
    a->d.yl = d[-FRAME_PITCH<2>];
    a->d.yh = d[FRAME_PITCH<2>];
    a->d.zh = slot_of_above[a->own.place];
    const real r = slot[a->own_r] - alpha * star_apply(a->pillar, level, shift, a->d);
    if (k >= a->kept.low && k < a->kept.high) f.r_new[o] = r;
    if (c.own && k >= c.z0 && k < c.z1) f.x_new[o] = slot[a->own_r + blockDim.x] + alpha * a->d.c;
    a->d.zl = a->d.c;
    a->d.c = a->d.zh;
    return r;
}

/* y_sum: returns the sum over the neighbours of coefficient times y. y: the own place in a plane. */
__device__ __forceinline__ real y_sum(struct lap_pillar c, struct level l, const real *y, real below,
                                      real above)
{
    return point_pillar_neighbours(c, l.height, y[-1], y[1], y[-FRAME_PITCH<2>], y[FRAME_PITCH<2>], below,
                                   above);
}

/* polynomial_kernel: with UPDATE, r and x are advanced first. Otherwise z is the polynomial of r as it is. */
template <bool UPDATE>
static __global__ void __launch_bounds__(UPDATE ? UPDATE_THREADS : START_THREADS, UPDATE ? 1 : START_BLOCKS)
    polynomial_kernel(struct box b, struct stencil s, struct blocks bl,
                      const __grid_constant__ struct march m, const __grid_constant__ struct layout l,
                      struct cells cells, const struct cg_state *cg, struct poly1 p,
                      const __grid_constant__ struct vectors f)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const real alpha = cg_alpha(cg);
    const struct around way = around_make(b, cells);
    struct worker a = worker_make<UPDATE>(b, s, m, l, way, c, f);
    ptrdiff_t o = a.o; /* on plane `up` */
#pragma unroll 1
    for (int n = 0; n <= SWEEP_AHEAD; ++n)
        worker_fetch<UPDATE>(&a, c, f, c.z0 - 1 + n, l.first + n * l.slot, n > 0,
                             around_step(b, way, c.z0 - 1 + n));
    levels_fill(s, c, 1);
    const bool alike =
        levels_alike(s, c, 1); /* one division for all planes: it is the longest part of a point */
    const struct level *const levels = levels_of(c, 1);
    real *const y_planes = sweep_shared + l.extra + a.own.place;
    int now = l.first;
    real r_k = 0, inverse_k = 0, y_below = 0;
    sum_sweep<1, 1>(
        bl, m, c, 2,
        [&](int k, double *part) {
            const int up = k + 1, above = slot_above(l, now);
            sweep_wait();
            __syncthreads();
            const int next = up + 1 + SWEEP_AHEAD;
            worker_fetch<UPDATE>(&a, c, f, next, slot_free(l, now), true, around_step(b, way, next));
            const struct level level_up = levels[up];
            const real *const slot = sweep_shared + now;
            real r = slot[a.own_r];
            if constexpr (UPDATE)
                r = worker_advance(&a, c, f, level_up, s.shift, alpha, up, o, slot, sweep_shared + above);
            real inverse = inverse_k;
            if (!alike || k < c.z0 - 1) inverse = 1 / point_pillar_diag(a.pillar, level_up.height, s.shift);
            const real y = r * inverse;
            if (a.here) y_planes[(up & 1) * l.frame] = y;
            const real *const y_k = y_planes + (k & 1) * l.frame;
            const real own_y = y_k[0];
            if (c.own && k >= c.z0) {
                const struct level level = levels[k];
                const real sum = y_sum(a.pillar, level, y_k, y_below, y);
                const real value = point_polynomial(p.c0, own_y, p.c1, sum, inverse_k);
                f.z[o - b.sz] = value;
                part[0] += (double)value * r_k;
                part[1] = sum_larger(fabs(r_k * level.height.inverse), part[1]);
            }
            y_below = own_y;
            r_k = r;
            inverse_k = inverse;
            o += b.sz;
            now = above;
        },
        [&](double *part) { part[1] /= a.pillar.area; });
}

#endif
