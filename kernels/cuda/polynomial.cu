#include "../laplace.h"
#include "scalars.cuh"
#include "sweep.cuh"

/* laplace_start and laplace_update. Degree 1: y = r / D is formed once for each own column and each column of the ring
 * one cell wide round the tile, by extra warps; threads exchange it through shared memory, two planes in turn. Own and ring columns
 * run the same instructions: what the ring forms is what its owner forms, bit for bit. While y of plane `up` is made,
 * z of the plane below it, k, follows. */

/* More threads than there are: the bound leaves 80 registers, no spills, and two thread blocks of one piece on a multiprocessor. */
enum { POLYNOMIAL_THREADS = 768 };

/* The fields of the update; of the start, r and z alone. */
struct vectors {
    const real *d, *r;
    real *x, *r_new, *z;
};

static inline int polynomial_threads(const struct march &m)
{
    return m.side * PIECE_THREADS + (halo_cells<1>(m) + PIECE_WARP - 1) / PIECE_WARP * PIECE_WARP;
}

/* Two planes of y, then slots of r and, in the update, d and x. */
static inline struct layout polynomial_layout(struct blocks bl, const struct march &m, int planes)
{
    const int frame = frame_values<2>(m);
    return layout_make(levels_values(bl, m, 1), 2 * frame, frame, planes);
}

/* planes: low <= k < high. planes_kept: those of a column on which r_new is written: own ones with the halo faces below and above
 * the box, and of ring columns those on the other faces' halo. */
struct planes {
    int low, high;
};

__device__ __forceinline__ struct planes planes_kept(struct box b, const struct tile &c, bool here, int i,
                                                     int j)
{
    struct planes a = {c.z0, c.z1};
    if (c.own && c.z0 == 0) a.low = -1;
    if (c.own && c.z1 == b.nz) a.high = b.nz + 1;
    const bool outside = i < 0 || i >= b.nx || j < 0 || j >= b.ny;
    if (!here || !(c.own || outside)) a.high = a.low;
    return a;
}

/* UPDATE: r and x advance first; otherwise z = polynomial of r as it is. */
template <bool UPDATE>
static __global__ void __launch_bounds__(POLYNOMIAL_THREADS)
    polynomial_kernel(struct box b, struct stencil s, struct blocks bl,
                      const __grid_constant__ struct march m, const __grid_constant__ struct layout l,
                      struct cells cells, const struct cg_state *cg, struct poly1 p,
                      const __grid_constant__ struct vectors f)
{
    enum { R, D, X_ }; /* planes of a slot */
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    const real alpha = cg_alpha(cg);
    const int ring = (int)threadIdx.x - m.side * PIECE_THREADS;
    int i = c.i, j = c.j;
    const bool here = halo_cell<1>(m, c, ring, &i, &j) || c.own;
    const struct planes kept = planes_kept(b, c, here, i, j);
    const struct lap_column column = sweep_column(s, here, i, j);
    struct column own = column_make<2>(b, c, i, j, c.z0 - 1, here);
    struct column halo = column_halo<2>(b, m, c, ring >= 0 ? ring : ring + (int)blockDim.x, c.z0 - 1);
    const struct level *const levels = levels_of(c, 1);
    ptrdiff_t o = own.o; /* on plane `up` */
    int now = l.first;

    const auto fetch = [&](int k, int slot, bool begun) {
        real *const to = sweep_shared + slot;
        sweep_copy(here && k <= c.z1, to + R * l.frame + own.place, f.r + own.o);
        if constexpr (UPDATE) {
            sweep_copy(c.own && k <= c.z1 + 1, to + D * l.frame + own.place, f.d + own.o);
            sweep_copy(halo.any && k <= c.z1, to + D * l.frame + halo.place, f.d + halo.o);
            sweep_copy(c.own && begun && k < c.z1, to + X_ * l.frame + own.place, f.x + own.o);
        }
        sweep_commit();
        own.o += b.sz;
        halo.o += b.sz;
    };
#pragma unroll 1
    for (int n = 0; n <= SWEEP_AHEAD; ++n) fetch(c.z0 - 1 + n, l.first + n * l.slot, n > 0);
    levels_fill(s, c, 1);

    struct star v;
    v.zl = UPDATE && c.own ? f.d[o - b.sz] : 0;
    v.c = UPDATE && here ? f.d[o] : 0;
    real r_k = 0, inverse_k = 0, y_below = 0;
    sum_sweep<1, 1>(
        bl, m, c, 2,
        [&](int k, double *part) {
            const int up = k + 1;
            sweep_wait();
            __syncthreads();
            fetch(up + 1 + SWEEP_AHEAD, slot_free(l, now), true);
            const int above = slot_above(l, now);
            const real *const place = sweep_shared + now + own.place;
            const struct lap_coef a = sweep_coef(column, s.shift, levels[up]);
            real r_up = place[R * l.frame];
            if constexpr (UPDATE) {
                const real *const d = place + D * l.frame;
                v.xl = d[-1];
                v.xh = d[1];
                v.yl = d[-FRAME_PITCH<2>];
                v.yh = d[FRAME_PITCH<2>];
                v.zh = sweep_shared[above + D * l.frame + own.place];
                r_up -= alpha * star_apply(a, s.shift, v);
                if (up >= kept.low && up < kept.high) f.r_new[o] = r_up;
                if (c.own && up >= c.z0 && up < c.z1) f.x[o] = place[X_ * l.frame] + alpha * v.c;
                v.zl = v.c;
                v.c = v.zh;
            }
            const real inverse = 1 / a.diag, y = r_up * inverse;
            if (here) sweep_shared[l.extra + (up & 1) * l.frame + own.place] = y;
            const real *const y_k = sweep_shared + l.extra + (k & 1) * l.frame + own.place;
            const real yc = y_k[0];
            if (c.own && k >= c.z0) {
                const struct level level = levels[k];
                const struct lap_coef a_k = sweep_coef(column, s.shift, level);
                const real sum = point_lap_neighbours(a_k, y_k[-1], y_k[1], y_k[-FRAME_PITCH<2>],
                                                      y_k[FRAME_PITCH<2>], y_below, y);
                const real value = point_polynomial(p.c0, yc, p.c1, sum, inverse_k);
                f.z[o - b.sz] = value;
                part[0] += (double)value * r_k;
                part[1] = sum_larger(fabs(r_k * level.inverse), part[1]);
            }
            y_below = yc;
            r_k = r_up;
            inverse_k = inverse;
            o += b.sz;
            now = above;
        },
        [&](double *part) { part[1] /= column.area; });
}

static kol_status polynomial_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                                   const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_START);
    const struct layout l = polynomial_layout(bl, m, 1);
    return sweep_launch("laplace_start", polynomial_kernel<false>, m.grid, polynomial_threads(m), l.end, b, s,
                        bl, m, l, cells, cg, p, f);
}

static kol_status polynomial_update(struct box b, struct stencil s, struct blocks bl,
                                    const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_UPDATE);
    const struct layout l = polynomial_layout(bl, m, 3);
    return sweep_launch("laplace_update", polynomial_kernel<true>, m.grid, polynomial_threads(m), l.end, b, s,
                        bl, m, l, cells_all(), cg, p, f);
}

/* Degree 0: z = c0 y needs no neighbour of y. */
static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    jacobi_start_kernel(struct box b, struct stencil s, struct blocks bl,
                        const __grid_constant__ struct march m, struct cells cells, const struct cg_state *cg,
                        real c0, const real *r, real *z)
{
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells)) return;
    sum_march<1, 1>(bl, m, c, [&](int k, double *part) {
        if (!c.own) return;
        const ptrdiff_t o = at(b, c.i, c.j, k);
        const struct lap_coef a = point_lap_coef(s, c.i, c.j, k);
        const real value = c0 * (r[o] * (1 / a.diag));
        z[o] = value;
        part[0] += (double)value * r[o];
        part[1] = sum_larger(fabs(r[o]) / a.vol, part[1]);
    });
}

static kol_status jacobi_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                               const struct cg_state *cg, struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_START);
    return sweep_launch("laplace_start", jacobi_start_kernel, m.grid, m.side * PIECE_THREADS, 0, b, s, bl, m,
                        cells, cg, p.c0, f.r, f.z);
}

static __global__ void __launch_bounds__(SWEEP_THREADS, SWEEP_BLOCKS)
    jacobi_update_kernel(struct box b, struct stencil s, struct blocks bl,
                         const __grid_constant__ struct march m, const __grid_constant__ struct layout l,
                         const struct cg_state *cg, real c0, const __grid_constant__ struct vectors f)
{
    if (cg_ended(cg)) return;
    const struct tile c = tile_of(bl, m);
    const real alpha = cg_alpha(cg);
    const struct lap_column column = sweep_column(s, c.own, c.i, c.j);
    const real *const array[] = {f.d, f.r, f.x};
    sweep_star<1, 1, 1>(
        b, s, bl, m, l, c, array, star_first(),
        [&](ptrdiff_t o, struct level level, struct star v, const real *own, double *part) {
            const struct lap_coef a = sweep_coef(column, s.shift, level);
            const real r = own[0] - alpha * star_apply(a, s.shift, v);
            const real value = c0 * (r * (1 / a.diag));
            f.r_new[o] = r;
            f.x[o] = own[1] + alpha * v.c;
            f.z[o] = value;
            part[0] += (double)value * r;
            part[1] = sum_larger(fabs(r * level.inverse), part[1]);
        },
        [&](double *part) { part[1] /= column.area; });
}

static kol_status jacobi_update(struct box b, struct stencil s, struct blocks bl, const struct cg_state *cg,
                                struct poly1 p, struct vectors f)
{
    const struct march m = march_make(bl, TUNE_UPDATE);
    const struct layout l = star_layout(bl, m, 3);
    return sweep_launch("laplace_update", jacobi_update_kernel, m.grid, m.side * PIECE_THREADS, l.end, b, s,
                        bl, m, l, cg, p.c0, f);
}

kol_status laplace_start(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly1 p, const real *r, real *z)
{
    const struct vectors f = {NULL, r, NULL, NULL, z};
    return p.c1 != 0 ? polynomial_start(b, s, bl, cells, cg, p, f) : jacobi_start(b, s, bl, cells, cg, p, f);
}

kol_status laplace_update(struct box b, struct stencil s, struct blocks bl, const struct cg_state *cg,
                          struct poly1 p, const real *d, real *x, const real *r, real *r_new, real *z,
                          real *planes)
{
    (void)planes;
    const struct vectors f = {d, r, x, r_new, z};
    return p.c1 != 0 ? polynomial_update(b, s, bl, cg, p, f) : jacobi_update(b, s, bl, cg, p, f);
}

/* Planes of y stay in shared memory. */
ptrdiff_t laplace_plane_scratch(struct box b)
{
    (void)b;
    return 1;
}
