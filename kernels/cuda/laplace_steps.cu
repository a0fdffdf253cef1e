/* Takes several degrees of a polynomial in one sweep. */
#include "../laplace.h"
#include "cg.cuh"
#include "sweep.cuh"

#include <limits.h>

/* laplace_steps is a pipeline of planes. When plane m of the initial fields arrives, the first step is taken
 * on plane m - 1, the second on plane m - 2, and so on.
 *
 * Each thread has one column for all steps. The column lies in the tile or in the ring of cells round it.
 * Registers hold the values below and above, and r and 1 / D of the planes that are being computed. A column
 * that is n cells away from the tile takes n steps fewer.
 *
 * Neighbours in the plane come from shared memory. It has one frame for each step, with the values that were
 * computed one plane earlier. Two sets of frames alternate, so one barrier per plane is enough.
 *
 * The file is compiled without contraction of products and sums. So the bits of a cell do not depend on which
 * thread and which step compute it. */

/* Number of planes that are being copied to a thread: about 50 KB of a multiprocessor in either case. */
template <bool WHOLE> constexpr int STEPS_AHEAD = WHOLE ? 6 : 4;
template <bool WHOLE> constexpr int STEPS_ARRAYS = WHOLE ? 1 : 3;

enum { SHARED_FIXED = 1024 }; /* bytes of shared memory for arrays of fixed size */

/* Pieces of a thread block. In double precision many steps need more registers than threads of two pieces
 * have. */
template <int STEPS> constexpr int STEPS_SIDE = STEPS *(int)sizeof(real) > 16 ? 1 : PIECES_MOST;

/* The cells of the ring are numbered by their distance from the tile. The layers beside the sides of the tile
 * come first, then all cells off its corners.
 *
 * ring_layer: number of cells in one layer of the ring. steps_whole: number of threads of a tile with
 * `pieces` pieces; `half` is the number of its columns and rows together. */
HD int ring_layer(const struct march &m)
{
    return 2 * ((1 << m.shift) + m.side * m.p.rows);
}

static constexpr int steps_whole(int steps, int pieces, int half)
{
    const int ring = 2 * steps * half + 2 * steps * (steps - 1);
    return pieces * PIECE_THREADS + (ring + PIECE_WARP - 1) / PIECE_WARP * PIECE_WARP;
}

template <int STEPS> static inline int steps_threads(const struct march &m)
{
    return steps_whole(STEPS, m.side, ring_layer(m) / 2);
}

/* The largest number of threads. No other piece has a longer ring than the widest one. */
template <int STEPS>
constexpr int STEPS_THREADS = steps_whole(STEPS, STEPS_SIDE<STEPS>,
                                          PIECE_WIDE + STEPS_SIDE<STEPS> * PIECE_WARPS);
static_assert((int)PIECE_NARROW + (int)PIECE_THREADS / PIECE_NARROW <= (int)PIECE_WIDE + PIECE_WARPS &&
                  (int)PIECES_MOST * PIECE_WARPS + (int)PIECE_WIDE >= (int)MARCH_ROWS + 16,
              "rings of other pieces");

/* ring_cell: finds cell n of the ring, and returns its distance from the tile; 0 if there is none. */
template <int STEPS>
__device__ __forceinline__ int ring_cell(const struct march &m, const struct tile &c, int n, int *i, int *j)
{
    const int width = 1 << m.shift, rows = m.side * m.p.rows, layer = ring_layer(m), away = n / layer + 1;
    if (c.x0 >= c.x1 || c.y0 >= c.y1) return 0;
    n -= (away - 1) * layer;
    if (away <= STEPS && n < 2 * width) {
        *i = c.x0 + (n & (width - 1));
        *j = n < width ? c.y0 - away : c.y1 - 1 + away;
        return *i < c.x1 ? away : 0;
    }
    if (away <= STEPS) {
        n -= 2 * width;
        *i = n < rows ? c.x0 - away : c.x1 - 1 + away;
        *j = c.y0 + (n < rows ? n : n - rows);
        return n < 2 * rows && *j < c.y1 ? away : 0;
    }
    const bool right = n & 1, above = n & 2;
    int x = 1, y = n / 4 + 1;
    while (x < STEPS && y > STEPS - x) y -= STEPS - x++;
    *i = right ? c.x1 - 1 + x : c.x0 - x;
    *j = above ? c.y1 - 1 + y : c.y0 - y;
    return x < STEPS ? x + y : 0;
}

/* open: planes low <= k < high exist; beyond them x is 0. */
struct open {
    int low, high;
};

__device__ __forceinline__ struct open open_make(struct stencil s, int n, int low, int high)
{
    const struct open a = {s.held >> low & 1u ? 0 : INT_MIN, s.held >> high & 1u ? n : INT_MAX};
    return a;
}

__device__ __forceinline__ bool open_at(struct open a, int k)
{
    return k >= a.low && k < a.high;
}

/* station: a thread's column. reach: the number of steps that it takes; or NOTHING if x is 0 there; or NOBODY
 * if there is no column. place: its place in a frame. o: its index on the next plane to copy. */
enum { NOTHING = -1, NOBODY = -2 };
struct station {
    int reach, place;
    struct lap_pillar pillar;
    ptrdiff_t o;
};

template <int STEPS>
__device__ __forceinline__ struct station station_make(struct box b, struct stencil s, const struct march &m,
                                                       struct around r, const struct tile &c)
{
    int i = c.i, j = c.j, away = 0;
    const int ring = (int)threadIdx.x - m.side * PIECE_THREADS;
    if (ring >= 0) away = ring_cell<STEPS>(m, c, ring, &i, &j);
    struct station a;
    a.reach = c.own || away > 0 ? STEPS - away : NOBODY;
    a.place = a.reach >= 0 ? frame_place<STEPS, 1>(c, i, j) : 0;
    if (a.reach >= 0 && !(open_at(open_make(s, b.nx, FACE_X_LOW, FACE_X_HIGH), i) &&
                          open_at(open_make(s, b.ny, FACE_Y_LOW, FACE_Y_HIGH), j)))
        a.reach = NOTHING;
    i = a.reach >= 0 ? around_of(i, b.nx, r.x) : 0;
    j = a.reach >= 0 ? around_of(j, b.ny, r.y) : 0;
    a.pillar = point_lap_pillar(s, i, j);
    a.o = at(b, i, j, around_of(c.z0 - STEPS, b.nz, r.z));
    return a;
}

/* steps_levels: stores the levels of all planes on which the sweep forms something, and returns whether they
 * are alike. It has a barrier. */
template <int STEPS>
__device__ __forceinline__ bool steps_levels(struct box b, struct stencil s, struct around r, struct open z,
                                             const struct tile &c)
{
    struct level *const levels = (struct level *)sweep_shared;
    bool alike = true;
    for (int n = (int)threadIdx.x; n < c.z1 - c.z0 + 2 * STEPS; n += (int)blockDim.x) {
        const int here = c.z0 - STEPS + n, k = open_at(z, here) ? around_of(here, b.nz, r.z) : c.z0;
        const struct level l = {{s.wz[k], 1 / s.wz[k], s.gz[k], s.gz[k + 1]}};
        levels[n] = l;
        alike = alike && s.wz[k] == s.wz[c.z0] && s.gz[k] == s.gz[c.z0] && s.gz[k + 1] == s.gz[c.z0 + 1];
    }
    return __syncthreads_and(alike) != 0;
}

/* Shared memory holds the levels, two sets of frames, then the slots: one value of every array for each
 * thread. */
template <int STEPS, bool WHOLE>
static inline struct layout steps_layout(struct blocks bl, const struct march &m)
{
    const int frame = frame_values<STEPS>(m);
    return layout_make(levels_values(bl, m, STEPS), 2 * STEPS * frame, frame,
                       STEPS_ARRAYS<WHOLE> * steps_threads<STEPS>(m), STEPS_AHEAD<WHOLE>);
}

/* steps_fields: the fields. z and z_prev are used if the sweep begins from them. */
struct steps_fields {
    const real *r, *z, *z_prev;
    real *z_next, *z_last;
};

/* station_fetch: copies this thread's part of plane k, which is the next one. For a column that takes no step
 * only the initial field is copied. */
template <bool WHOLE>
__device__ __forceinline__ void station_fetch(struct station &a, const struct steps_fields &f, bool wanted,
                                              int slot, ptrdiff_t step)
{
    real *const to = sweep_shared + slot + threadIdx.x;
    if (wanted && a.reach >= (WHOLE ? 0 : 1)) sweep_copy(to, f.r + a.o);
    if constexpr (!WHOLE) {
        if (wanted && a.reach >= 0) sweep_copy(to + blockDim.x, f.z + a.o);
        if (wanted && a.reach >= 1) sweep_copy(to + 2 * blockDim.x, f.z_prev + a.o);
    }
    copy_async_commit();
    a.o += step;
}

template <int STEPS, bool WHOLE>
static __global__ void __launch_bounds__(STEPS_THREADS<STEPS>, 1)
    steps_kernel(struct box b, struct stencil s, struct blocks bl, const __grid_constant__ struct march m,
                 const __grid_constant__ struct layout l, struct cells cells, const struct cg_state *cg,
                 const __grid_constant__ struct poly_steps p, const __grid_constant__ struct steps_fields f)
{
    enum { PITCH = FRAME_PITCH<STEPS> };
    const struct tile c = tile_of(bl, m);
    if (cg_ended(cg) || !tile_wanted(b, c, cells, STEPS)) return;
    const struct around way = around_make(b, cells);
    const struct open z = open_make(s, b.nz, FACE_Z_LOW, FACE_Z_HIGH);
    struct station a = station_make<STEPS>(b, s, m, way, c);
    const int end = c.z1 + STEPS;
#pragma unroll 1
    for (int n = 0; n < STEPS_AHEAD<WHOLE>; ++n) {
        const int k = c.z0 - STEPS + n;
        station_fetch<WHOLE>(a, f, k < end && open_at(z, k), l.first + n * l.slot, around_step(b, way, k));
    }
    real *const frames = sweep_shared + l.extra + a.place;
    if (a.reach == NOTHING) {
#pragma unroll
        for (int n = 0; n < 2 * STEPS; ++n) frames[n * l.frame] = 0;
    }
    const bool alike = steps_levels<STEPS>(b, s, way, z, c);
    const struct level *const levels = levels_of(c, STEPS);
    ptrdiff_t o = c.own ? at(b, c.i, c.j, c.z0) : 0;
    int now = l.first;
    /* for step n: centre and below hold the last two planes formed; rest and inverse hold r and 1 / D of
     * planes m - n; z_prev is that of m - 1 */
    real centre[STEPS], below[STEPS], rest[STEPS + 1], inverse[STEPS + 1], z_prev = 0;
#pragma unroll
    for (int n = 0; n < STEPS; ++n) centre[n] = below[n] = 0;
#pragma unroll
    for (int n = 0; n <= STEPS; ++n) rest[n] = inverse[n] = 0;
    sum_sweep<1, 0>(
        bl, m, c, 2 * STEPS,
        [&](int k, double *part) {
            const int top = k + STEPS, next = top + STEPS_AHEAD<WHOLE>;
            const bool there = open_at(z, top) && a.reach >= 0;
            const real *const slot = sweep_shared + now + threadIdx.x;
            const real *const frame_now = frames + ((k & 1) ^ 1) * STEPS * l.frame;
            real *const frame_next = frames + (k & 1) * STEPS * l.frame;
            copy_async_wait<STEPS_AHEAD<WHOLE> - 1>();
            __syncthreads();
            rest[0] = there && a.reach >= (WHOLE ? 0 : 1) ? slot[0] : 0;
            inverse[0] = inverse[1];
            if (!alike || top == c.z0 - STEPS)
                inverse[0] = 1 / point_pillar_diag(a.pillar, levels[top].height, s.shift);
            real value = WHOLE ? rest[0] * inverse[0] : 0, before = z_prev;
            if constexpr (!WHOLE) {
                value = there ? slot[blockDim.x] : 0;
                z_prev = there && a.reach >= 1 ? slot[2 * blockDim.x] : 0;
            }
            station_fetch<WHOLE>(a, f, next < end && open_at(z, next), now, around_step(b, way, next));
            now = slot_above(l, now);
            real last = 0;
#pragma unroll
            for (int n = 0; n < STEPS; ++n) { /* step n + 1, on plane top - n - 1 */
                const int plane = top - n - 1;
                const real *const place = frame_now + n * l.frame;
                struct star v;
                v.c = last = centre[n];
                v.zl = below[n];
                v.zh = value;
                real result = 0;
                if (n < a.reach && k >= c.z0 - 2 * (STEPS - 1 - n) && open_at(z, plane)) {
                    const struct level level = levels[plane];
                    v.xl = place[-1];
                    v.xh = place[1];
                    v.yl = place[-PITCH];
                    v.yh = place[PITCH];
                    if (WHOLE && n == 0) {
                        const real sum = point_pillar_neighbours(a.pillar, level.height, v.xl, v.xh, v.yl,
                                                                 v.yh, v.zl, v.zh);
                        result = point_polynomial(p.first.c0, v.c, p.first.c1, sum, inverse[1]);
                    } else {
                        result = point_chebyshev(v.c, before, p.momentum[n], p.step[n], rest[n + 1],
                                                 star_apply(a.pillar, level, s.shift, v), inverse[n + 1]);
                    }
                }
                if (n <= a.reach) frame_next[n * l.frame] = value;
                before = WHOLE && n == 0 ? p.y0 * v.zl : v.zl;
                below[n] = v.c;
                centre[n] = value;
                value = result;
            }
            if (c.own && k >= c.z0) {
                f.z_next[o] = value;
                if (f.z_last != NULL) f.z_last[o] = last;
                part[0] += (double)value * rest[STEPS];
                o += b.sz;
            }
#pragma unroll
            for (int n = STEPS; n > 0; --n) {
                rest[n] = rest[n - 1];
                inverse[n] = inverse[n - 1];
            }
        },
        [](double *) {});
}

/* In a launch shape, x is the largest number of steps of a sweep. */
template <int STEPS> static inline struct march steps_march(struct blocks bl, struct shape s)
{
    s.x = 0;
    s.y = smaller(s.y, STEPS_SIDE<STEPS>);
    return march_of(bl, s);
}

template <int STEPS, bool WHOLE>
static kol_status steps_launch(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                               const struct cg_state *cg, struct poly_steps p, struct steps_fields f)
{
    const struct march m = march_split(bl, steps_march<STEPS>(bl, shape_chosen(TUNE_STEPS)), cells, STEPS);
    const struct layout l = steps_layout<STEPS, WHOLE>(bl, m);
    return sweep_launch("laplace_steps", steps_kernel<STEPS, WHOLE>, m.grid, steps_threads<STEPS>(m), l.end,
                        b, s, bl, m, l, cells, cg, p, f);
}

/* Bytes of shared memory in the launch shape that needs most. */
template <int STEPS> static size_t steps_bytes(struct blocks bl)
{
    const struct march m = steps_march<STEPS>(bl, {0, PIECES_MOST, MARCH_PLANES});
    const int whole = steps_layout<STEPS, true>(bl, m).end, further = steps_layout<STEPS, false>(bl, m).end;
    return (size_t)(whole > further ? whole : further) * sizeof(real) + SHARED_FIXED;
}

/* steps_halo: the number of steps for which the halo beyond face f is deep enough. */
static int steps_halo(struct box b, unsigned held, struct cells cells, int f)
{
    const int n[3] = {b.nx, b.ny, b.nz};
    if (held >> f & 1u) return LAPLACE_STEPS;
    return smaller(cells.around >> f & 1u ? n[f / 2] : b.h, LAPLACE_STEPS);
}

int laplace_steps_wanted(void)
{
    return shape_chosen(TUNE_STEPS).x;
}

kol_status laplace_steps_most(struct box b, struct blocks bl, struct cells cells, int *most)
{
    struct cudaDeviceProp gpu;
    int id, n = 1;
    CUDA_TRY(cudaGetDevice(&id));
    CUDA_TRY(cudaGetDeviceProperties(&gpu, id));
    const size_t bytes = gpu.sharedMemPerBlockOptin;
    if (steps_bytes<2>(bl) <= bytes) n = 2;
    if (steps_bytes<3>(bl) <= bytes) n = 3;
    if (steps_bytes<4>(bl) <= bytes) n = 4;
    for (int f = 0; f < FACES; ++f) n = smaller(n, steps_halo(b, 0, cells, f));
    *most = n;
    return KOL_OK;
}

kol_status laplace_steps(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                         const struct cg_state *cg, struct poly_steps p, const real *r, const real *z,
                         const real *z_prev, real *z_next, real *z_last)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_steps: not with bodies");
    typedef kol_status (*launch)(struct box, struct stencil, struct blocks, struct cells,
                                 const struct cg_state *, struct poly_steps, struct steps_fields);
    static const launch LAUNCH[LAPLACE_STEPS][2] = {{steps_launch<1, false>, steps_launch<1, true>},
                                                    {steps_launch<2, false>, steps_launch<2, true>},
                                                    {steps_launch<3, false>, steps_launch<3, true>},
                                                    {steps_launch<4, false>, steps_launch<4, true>}};
    const struct steps_fields f = {r, z, z_prev, z_next, z_last};
    if (p.n < 1 || p.n > LAPLACE_STEPS || (z == NULL) != (z_prev == NULL) || (p.n == 1 && z_last != NULL))
        RAISE(KOL_ERR_INTERNAL, "laplace_steps: %d steps, or arrays that don't go with them", p.n);
    for (int n = 0; n < FACES; ++n)
        if (p.n > steps_halo(b, s.held, cells, n))
            RAISE(KOL_ERR_INTERNAL, "laplace_steps: %d steps, more than there are cells beyond face %d", p.n,
                  n);
    return LAUNCH[p.n - 1][z == NULL](b, s, bl, cells, cg, p, f);
}
