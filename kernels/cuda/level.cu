#include "level.cuh"

/* Smoothing and residuals. Each thread marches up its column: the values below, at and above it are in registers, those beside it
 * come from the first-level cache, where the threads beside have put them. What the next plane needs from memory is asked for
 * before this plane is computed. */

enum { FILL_THREADS = 256 };
static const ptrdiff_t FILL_BLOCKS = 4096; /* most: they fill a GPU several times */

int level_around(void)
{
    return 1;
}

/* The kernels read around. */
kol_status level_wrap(struct box lb, level_real *a)
{
    (void)lb;
    (void)a;
    return KOL_OK;
}

static __global__ void __launch_bounds__(FILL_THREADS)
    fill_kernel(level_real *a, ptrdiff_t n, level_real value)
{
    const ptrdiff_t step = (ptrdiff_t)gridDim.x * blockDim.x;
    for (ptrdiff_t i = (ptrdiff_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) a[i] = value;
}

kol_status level_fill(level_real *a, ptrdiff_t n, level_real value)
{
    if (n <= 0) return KOL_OK;
    const ptrdiff_t wanted = (n + FILL_THREADS - 1) / FILL_THREADS;
    fill_kernel<<<(unsigned)(wanted < FILL_BLOCKS ? wanted : FILL_BLOCKS), FILL_THREADS, 0, queue_stream()>>>(
        a, n, value);
    CUDA_LAUNCHED("level_fill");
    return KOL_OK;
}

/* scale: the same on every thread. */
static __global__ void __launch_bounds__(LEVEL_THREADS)
    enter_kernel(struct box b, struct box lb, int planes, const struct cg_state *cg, double volume,
                 const real *r, level_real *r_level)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const double scale = point_level_scale(cg, volume);
    const real *from = r + at(b, a.i, a.j, a.z0);
    level_real *to = r_level + at(lb, a.i, a.j, a.z0);
#pragma unroll 4
    for (int k = a.z0; k < a.z1; ++k, from += b.sz, to += lb.sz) *to = (level_real)(scale * __ldg(from));
}

kol_status level_enter(struct box b, struct box lb, const struct cg_state *cg, double volume, const real *r,
                       level_real *r_level)
{
    const int planes = level_planes(b.nx, b.ny, b.nz);
    enter_kernel<<<level_grid(b.nx, b.ny, b.nz, planes), level_block(), 0, queue_stream()>>>(
        b, lb, planes, cg, volume, r, r_level);
    CUDA_LAUNCHED("level_enter");
    return KOL_OK;
}

/* What a smoothing step does with z_prev; SMOOTH_RESIDUAL: there is no step, the residual itself is wanted. */
enum smooth { SMOOTH_NONE, SMOOTH_FIRST, SMOOTH_READ, SMOOTH_RESIDUAL };

/* z_next may be z_prev: both at the own point only, read a plane ahead of the writing. */
template <enum smooth KIND>
static __global__ void __launch_bounds__(LEVEL_THREADS)
    smooth_kernel(struct box b, struct level_stencil s, unsigned around, int planes, level_real momentum,
                  level_real step, level_real y0, const level_real *r, const level_real *z,
                  const level_real *z_prev, level_real *z_next)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const struct level_column c = point_level_column(s, a.i, a.j);
    const struct level_links l = level_links(b, s, around, a.i, a.j);
    ptrdiff_t o = at(b, a.i, a.j, a.z0);
    level_real here = z[o], below = z[o + level_below(b, s, around, a.z0)],
               above = z[o + level_above(b, s, around, a.z0)];
    level_real rc = r[o], prev = KIND == SMOOTH_READ ? z_prev[o] : 0;
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k, o += b.sz) {
        const struct level_plane h = point_level_plane(s, k);
        const bool more = k + 1 < a.z1;
        const ptrdiff_t next = more ? o + b.sz : o;
        const level_real r_next = __ldg(r + next);
        const level_real prev_next = KIND == SMOOTH_READ ? z_prev[next] : 0;
        const level_real above_next = more ? __ldg(z + next + level_above(b, s, around, k + 1)) : 0;
        const level_real rest = rc - level_apply(c, h, l, z, o, below, here, above);
        level_real value = rest;
        if (KIND != SMOOTH_RESIDUAL) {
            const level_real inverse = point_level_inverse(c, h);
            const level_real before = KIND == SMOOTH_NONE    ? here
                                      : KIND == SMOOTH_FIRST ? y0 * (rc * inverse)
                                                             : prev;
            value = point_level_chebyshev(here, before, momentum, step, rest * inverse);
        }
        z_next[o] = value;
        below = here;
        here = above;
        above = above_next;
        rc = r_next;
        prev = prev_next;
    }
}

template <enum smooth KIND>
static kol_status smooth_launch(const char *name, struct box b, struct level_stencil s, struct cells cells,
                                level_real momentum, level_real step, level_real y0, const level_real *r,
                                const level_real *z, const level_real *z_prev, level_real *z_next)
{
    const int planes = level_planes(b.nx, b.ny, b.nz);
    smooth_kernel<KIND><<<level_grid(b.nx, b.ny, b.nz, planes), level_block(), 0, queue_stream()>>>(
        b, s, cells.around, planes, momentum, step, y0, r, z, z_prev, z_next);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

kol_status level_chebyshev(struct box lb, struct level_stencil s, struct cells cells, level_real momentum,
                           level_real step, level_real y0, const level_real *r, const level_real *z,
                           const level_real *z_prev, level_real *z_next)
{
    static const char name[] = "level_chebyshev";
    if (!level_whole(cells)) return KOL_OK;
    if (momentum == 0) return smooth_launch<SMOOTH_NONE>(name, lb, s, cells, 0, step, y0, r, z, NULL, z_next);
    if (z_prev == NULL)
        return smooth_launch<SMOOTH_FIRST>(name, lb, s, cells, momentum, step, y0, r, z, NULL, z_next);
    return smooth_launch<SMOOTH_READ>(name, lb, s, cells, momentum, step, y0, r, z, z_prev, z_next);
}

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    if (!level_whole(cells)) return KOL_OK;
    return smooth_launch<SMOOTH_RESIDUAL>("level_residual", lb, s, cells, 0, 0, 0, r, z, NULL, q);
}

/* y = r / D of a tile and of the ring one cell wide round it lie in shared memory, two planes in turn: each y is formed once by
 * the tile, not once for each neighbour. The first RING threads also form one of the ring. */
enum { START_X = LEVEL_X + 2, START_Y = LEVEL_Y + 2, START_RING = 2 * (LEVEL_X + LEVEL_Y) };

/* scaled: a column of which a thread forms y: where it lies in memory and in shared memory. */
struct scaled {
    struct level_column c;
    ptrdiff_t o; /* of plane 0 */
    int place;
    bool any;
};

__device__ __forceinline__ struct scaled scaled_make(struct box b, struct level_stencil s, unsigned around,
                                                     int i, int j, int x, int y, bool any)
{
    struct scaled a;
    a.any = any;
    a.c = point_level_column(s, any ? i : 0, any ? j : 0);
    a.o = any ? at(b, level_turned(i, b.nx, around, X), level_turned(j, b.ny, around, Y), 0) : 0;
    a.place = y * START_X + x;
    return a;
}

/* Cell n of the ring: rows before and after the own cells of the tile, then columns at their sides. Cells beyond a face without flux
 * are none. */
__device__ __forceinline__ struct scaled scaled_ring(struct box b, struct level_stencil s, unsigned around,
                                                     int n)
{
    const int x0 = (int)blockIdx.x * LEVEL_X, y0 = (int)blockIdx.y * LEVEL_Y;
    const int width = min(LEVEL_X, b.nx - x0), depth = min(LEVEL_Y, b.ny - y0);
    const int side = n - 2 * LEVEL_X;
    int x, y;
    bool any;
    if (side < 0) {
        x = 1 + n % LEVEL_X;
        y = n < LEVEL_X ? 0 : depth + 1;
        any = x <= width && s.gy[n < LEVEL_X ? y0 : y0 + depth] != 0;
    } else {
        x = side % 2 == 0 ? 0 : width + 1;
        y = 1 + side / 2;
        any = n < START_RING && y <= depth && s.gx[side % 2 == 0 ? x0 : x0 + width] != 0;
    }
    return scaled_make(b, s, around, x0 + x - 1, y0 + y - 1, x, y, any);
}

__device__ __forceinline__ level_real scaled_at(struct scaled a, struct level_plane h, level_real r)
{
    return r * point_level_inverse(a.c, h);
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    start_kernel(struct box b, struct level_stencil s, unsigned around, int planes, level_real c0,
                 level_real c1, const level_real *r, level_real *z)
{
    __shared__ level_real shared[2][START_X * START_Y];
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    const int x = (int)threadIdx.x + 1, y = (int)threadIdx.y + 1;
    const struct scaled own = scaled_make(b, s, around, a.i, a.j, x, y, a.own);
    const struct scaled ring = scaled_ring(b, s, around, (y - 1) * LEVEL_X + x - 1);
    const bool xl = a.own && s.gx[a.i] != 0, xh = a.own && s.gx[a.i + 1] != 0;
    const bool yl = a.own && s.gy[a.j] != 0, yh = a.own && s.gy[a.j + 1] != 0;
    ptrdiff_t o = a.z0 * b.sz;
    level_real below = 0, here = 0, above = 0;
    level_real r_above = own.any ? r[own.o + o + level_above(b, s, around, a.z0)] : 0;
    level_real r_ring = ring.any ? r[ring.o + o] : 0;
    if (own.any) {
        here = scaled_at(own, point_level_plane(s, a.z0), r[own.o + o]);
        if (s.gz[a.z0] != 0)
            below = scaled_at(own, point_level_plane(s, a.z0 - 1),
                              r[own.o + o + level_below(b, s, around, a.z0)]);
    }
#pragma unroll 1
    for (int k = a.z0; k < a.z1; ++k, o += b.sz) {
        const struct level_plane h = point_level_plane(s, k);
        const bool more = k + 1 < a.z1, flux = h.zh != 0;
        level_real *const plane = shared[k & 1] + own.place;
        if (own.any) plane[0] = here;
        if (ring.any) shared[k & 1][ring.place] = scaled_at(ring, h, r_ring);
        above = own.any && flux ? scaled_at(own, point_level_plane(s, k + 1), r_above) : here;
        r_above = more && own.any ? __ldg(r + own.o + o + b.sz + level_above(b, s, around, k + 1)) : 0;
        r_ring = more && ring.any ? __ldg(r + ring.o + o + b.sz) : 0;
        __syncthreads();
        if (own.any) {
            z[own.o + o] = point_level_start(own.c, h, c0, c1, here, xl ? plane[-1] : here,
                                             xh ? plane[1] : here, yl ? plane[-START_X] : here,
                                             yh ? plane[START_X] : here, h.zl != 0 ? below : here, above);
        }
        below = here;
        here = above;
    }
}

static __global__ void __launch_bounds__(LEVEL_THREADS)
    jacobi_kernel(struct box b, struct level_stencil s, int planes, level_real c0, const level_real *r,
                  level_real *z)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const struct level_column c = point_level_column(s, a.i, a.j);
    ptrdiff_t o = at(b, a.i, a.j, a.z0);
#pragma unroll 4
    for (int k = a.z0; k < a.z1; ++k, o += b.sz)
        z[o] = c0 * (__ldg(r + o) * point_level_inverse(c, point_level_plane(s, k)));
}

kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z)
{
    const int planes = level_planes(lb.nx, lb.ny, lb.nz);
    const dim3 grid = level_grid(lb.nx, lb.ny, lb.nz, planes);
    if (!level_whole(cells)) return KOL_OK;
    if (c1 == 0) {
        jacobi_kernel<<<grid, level_block(), 0, queue_stream()>>>(lb, s, planes, c0, r, z);
    } else {
        start_kernel<<<grid, level_block(), 0, queue_stream()>>>(lb, s, cells.around, planes, c0, c1, r, z);
    }
    CUDA_LAUNCHED("level_start");
    return KOL_OK;
}
