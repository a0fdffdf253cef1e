/* Begins a cycle: enters the finest level and smooths it from a zero guess. */
#include "level_start.cuh"

/* entered: a source of frame_sweep, like struct scaled. It gives y = r / D, where r is the residual of the
 * iteration. It also stores the residual of its own cells in r_level.
 *
 *   p, end_o     the patch of r that belongs to this thread, and the place of its spike
 *   begin, end   the planes of its thread block */
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

/* In a box with bodies: z = c0 r / D alone. */
static __global__ void __launch_bounds__(LEVEL_THREADS)
    begin_open_kernel(struct box b, struct box lb, struct level_stencil s, int planes,
                      const struct cg_state *cg, double volume, level_real c0, const real *r,
                      level_real *r_level, level_real *z)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const double scale = point_level_scale(cg, volume);
    const struct level_column c = point_level_column(s, a.i, a.j);
    const real *from = r + at(b, a.i, a.j, a.z0);
    ptrdiff_t o = at(lb, a.i, a.j, a.z0);
#pragma unroll 4
    for (int k = a.z0; k < a.z1; ++k, from += b.sz, o += lb.sz) {
        const struct level_open w = point_level_open_bits(s.open[o]);
        const level_real value = (level_real)(scale * __ldg(from));
        r_level[o] = value;
        z[o] = c0 * (value * point_level_inverse_open(point_level_column_open(c, w),
                                                      point_level_plane_open(point_level_plane(s, k), w)));
    }
}

kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z)
{
    const int planes = frame_planes(lb, FRAME_FEW);
    const auto kernel = frame_fast(lb, s, cells.around) ? begin_kernel<true> : begin_kernel<false>;
    if (!level_compute_all(cells)) return KOL_OK;
    if (s.open != NULL) {
        const int deep = level_planes(b.nx, b.ny, b.nz);
        if (c1 != 0) RAISE(KOL_ERR_INTERNAL, "level_begin: only degree 0 with bodies");
        begin_open_kernel<<<level_grid(b.nx, b.ny, b.nz, deep), level_block(), 0, queue_stream()>>>(
            b, lb, s, deep, cg, volume, c0, r, r_level, z);
        CUDA_LAUNCHED("level_begin");
        return KOL_OK;
    }
    kernel<<<frame_grid(lb, planes), FRAME_THREADS, 0, queue_stream()>>>(b, lb, s, cells.around, planes, cg,
                                                                         volume, c0, c1, r, r_level, z);
    CUDA_LAUNCHED("level_begin");
    return KOL_OK;
}
