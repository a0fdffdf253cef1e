#include "level_frame.cuh"

/* The beginnings of a cycle and of a level. */

enum { FILL_THREADS = 256 };
static const ptrdiff_t FILL_BLOCKS = 4096; /* most: they fill a GPU several times */

int level_around(void)
{
    return 1;
}

int level_late(void)
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

/* scaled: y = r / D; c: the columns of the thread's patch, end: that of its cell beside a row. */
template <bool FAST> struct scaled {
    typedef struct quad loaded;
    typedef level_real loaded_one;
    struct plain<FAST> f;
    struct level_columns<FAST> c;
    struct level_column end;
    template <class PLACE> __device__ __forceinline__ auto load(const PLACE &p, int k) const
    {
        return f.load(p, k);
    }
    __device__ __forceinline__ struct quad form(const struct patch &, int, struct level_plane h,
                                                struct quad q) const
    {
        const struct quad inverse = level_columns_inverse(c, h);
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] *= inverse.v[m];
        return q;
    }
    __device__ __forceinline__ level_real form(const struct spike &, int, struct level_plane h,
                                               level_real v) const
    {
        return v * point_level_inverse(end, h);
    }
};

/* entered: the same from the residual of the iteration; its values on the level go to r_level where they are
 * own. p, end_o: the thread's patch of r and its cell beside a row; to: its patch of r_level; planes begin ..
 * end - 1 are its block's. */
struct __align__(16) four_real
{
    real v[QUAD];
};
template <bool FAST> struct entered {
    typedef struct four_real loaded;
    typedef real loaded_one;
    struct scaled<FAST> y;
    struct box b;
    double scale;
    const real *r;
    level_real *r_level;
    struct patch p;
    offset end_o;
    int begin, end;
    bool own;
    __device__ __forceinline__ struct four_real load(const struct patch &, int k) const
    {
        const real *const from = r + (offset)(p.o + frame_plane(b, y.f.around, k));
        struct four_real q;
        if (FAST || p.n == QUAD) {
            q = *(const struct four_real *)from;
        } else {
#pragma unroll
            for (int m = 0; m < QUAD; ++m)
                q.v[m] = m < p.n ? from[m] : m == p.n && p.turn != NOWHERE ? from[m + p.turn] : 0;
        }
        return q;
    }
    __device__ __forceinline__ real load(const struct spike &e, int k) const
    {
        return FAST || e.any ? r[end_o + frame_plane(b, y.f.around, k)] : 0;
    }
    __device__ __forceinline__ struct quad form(const struct patch &to, int k, struct level_plane h,
                                                const struct four_real &from) const
    {
        struct quad q;
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] = (level_real)(scale * from.v[m]);
        if (own && k >= begin && k < end) patch_store<FAST>(to, r_level, (offset)k * (offset)y.f.b.sz, q);
        return y.form(to, k, h, q);
    }
    __device__ __forceinline__ level_real form(const struct spike &e, int k, struct level_plane h,
                                               real from) const
    {
        return y.form(e, k, h, (level_real)(scale * from));
    }
};

/* start_sweep: z of planes begin .. end - 1, from what the source makes of r. */
template <bool FAST, class SOURCE>
__device__ __forceinline__ void start_sweep(struct box b, struct level_stencil s, int begin, int end,
                                            const struct seat &a, const struct level_columns<FAST> &c,
                                            const SOURCE &source, level_real c0, level_real c1, level_real *z)
{
    frame_sweep<FAST, FAST ? 2 : 1>(
        s, begin, end, a, source, [](int) {},
        [&](int k, struct level_plane h, const struct beside &n) {
            const struct quad inverse = level_columns_inverse(c, h);
            const struct quad q = quad_each(c, n,
                                            [&](int m, level_real v, level_real xl, level_real xh,
                                                level_real yl, level_real yh, level_real zl, level_real zh) {
                                                return point_level_start(c[m], h, inverse.v[m], c0, c1, v, xl,
                                                                         xh, yl, yh, zl, zh);
                                            });
            if (a.own) patch_store<FAST>(a.p, z, (offset)k * (offset)b.sz, q);
        });
}

template <bool FAST>
__device__ __forceinline__ struct scaled<FAST> scaled_make(struct box b, struct level_stencil s,
                                                           unsigned around, const struct seat &a,
                                                           const level_real *r) {
    const struct scaled<FAST> y = {
        {b, around, r}, level_columns_make<FAST>(b, s, a.p),
            point_level_column(s, a.e.any ? a.e.i : 0, a.e.any ? a.e.j : 0)
    };
    return y;
}

template <bool FAST>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_RESIDENT)
    start_kernel(struct box b, struct level_stencil s, unsigned around, int planes, level_real c0,
                 level_real c1, const level_real *r, level_real *z)
{
    const struct seat a = seat_make(b, s, around);
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct scaled<FAST> y = scaled_make<FAST>(b, s, around, a, r);
    start_sweep(b, s, begin, end, a, y.c, y, c0, c1, z);
}

template <bool FAST>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_FEW)
    begin_kernel(struct box b, struct box lb, struct level_stencil s, unsigned around, int planes,
                 const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                 level_real *r_level, level_real *z)
{
    const struct seat a = seat_make(lb, s, around), field = seat_make(b, s, around);
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct entered<FAST> source = {
        scaled_make<FAST>(lb, s, around, a, r_level), b,
            point_level_scale(cg, volume), r, r_level, field.p, field.e.o, begin, end, a.own
    };
    start_sweep(lb, s, begin, end, a, source.y.c, source, c0, c1, z);
}

kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z)
{
    const int planes = frame_planes(lb, FRAME_FEW);
    const auto kernel = frame_fast(lb, s, cells.around) ? begin_kernel<true> : begin_kernel<false>;
    if (!level_whole(cells)) return KOL_OK;
    kernel<<<frame_grid(lb, planes), FRAME_THREADS, 0, queue_stream()>>>(b, lb, s, cells.around, planes, cg,
                                                                         volume, c0, c1, r, r_level, z);
    CUDA_LAUNCHED("level_begin");
    return KOL_OK;
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
    if (!level_whole(cells)) return KOL_OK;
    if (c1 == 0) {
        const int planes = level_planes(lb.nx, lb.ny, lb.nz);
        jacobi_kernel<<<level_grid(lb.nx, lb.ny, lb.nz, planes), level_block(), 0, queue_stream()>>>(
            lb, s, planes, c0, r, z);
    } else {
        const int planes = frame_planes(lb, FRAME_RESIDENT);
        const auto kernel = frame_fast(lb, s, cells.around) ? start_kernel<true> : start_kernel<false>;
        kernel<<<frame_grid(lb, planes), FRAME_THREADS, 0, queue_stream()>>>(lb, s, cells.around, planes, c0,
                                                                             c1, r, z);
    }
    CUDA_LAUNCHED("level_start");
    return KOL_OK;
}
