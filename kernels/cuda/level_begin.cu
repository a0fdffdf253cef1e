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
template <bool FAST, enum kind KIND>
struct entered {
    struct loaded{struct four_real r; struct opens<KIND> open;};
struct loaded_one {
    real r;
    typename stored<KIND>::type open;
};
struct scaled<FAST, KIND> y;
struct box b;
double scale;
const real *r;
level_real *r_level;
struct patch p;
offset end_o;
int begin, end;
bool own;
__device__ __forceinline__ struct loaded load(const struct patch &to, int k) const
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
    const struct loaded with = {q, y.open(to, k)};
    return with;
}
__device__ __forceinline__ struct loaded_one load(const struct spike &e, int k) const
{
    const struct loaded_one q = {FAST || e.any ? r[end_o + frame_plane(b, y.f.around, k)] : 0, y.open(e, k)};
    return q;
}
__device__ __forceinline__ struct quad form(const struct patch &to, int k, struct level_plane h,
                                            const struct loaded &from) const
{
    typename scaled<FAST, KIND>::loaded q;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.r.v[m] = (level_real)(scale * from.r.v[m]);
    q.open = from.open;
    if (own && k >= begin && k < end) patch_store<FAST>(to, r_level, (offset)k * (offset)y.f.b.sz, q.r);
    return y.form(to, k, h, q);
}
__device__ __forceinline__ level_real form(const struct spike &e, int k, struct level_plane h,
                                           const struct loaded_one &from) const
{
    const typename scaled<FAST, KIND>::loaded_one q = {(level_real)(scale * from.r), from.open};
    return y.form(e, k, h, q);
}
}
;

template <bool FAST, enum kind KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_FEW)
    begin_kernel(struct box b, struct box lb, struct level_stencil s, unsigned around, int planes,
                 const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                 level_real *r_level, level_real *z)
{
    const struct seat a = seat_make(lb, s, around), field = seat_make(b, s, around);
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct entered<FAST, KIND> source = {
        scaled_make<FAST, KIND>(lb, s, around, a, r_level), b,
            point_level_scale(cg, volume), r, r_level, field.p, field.e.o, begin, end, a.own
    };
    start_sweep<FAST, KIND>(lb, s, around, begin, end, a, source.y.c, source, c0, c1, z);
}

kol_status level_begin(struct box b, struct box lb, struct level_stencil s, struct cells cells,
                       const struct cg_state *cg, double volume, level_real c0, level_real c1, const real *r,
                       level_real *r_level, level_real *z)
{
    const int planes = frame_planes(lb, FRAME_FEW);
    const bool fast = frame_fast(lb, s, cells.around);
    if (!level_compute_all(cells)) return KOL_OK;
    if (s.faces != NULL) RAISE(KOL_ERR_INTERNAL, "level_begin: the first level has no words");
    auto kernel = s.open != NULL ? (fast ? begin_kernel<true, BITS> : begin_kernel<false, BITS>)
                                 : (fast ? begin_kernel<true, PLAIN> : begin_kernel<false, PLAIN>);
    if (s.open != NULL && fast && s.uniform) kernel = begin_kernel<true, TABLE>;
    kernel<<<frame_grid(lb, planes), FRAME_THREADS, 0, queue_stream()>>>(b, lb, s, cells.around, planes, cg,
                                                                         volume, c0, c1, r, r_level, z);
    CUDA_LAUNCHED("level_begin");
    return KOL_OK;
}
