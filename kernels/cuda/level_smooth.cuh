/* The sweep of level_smooth.cu and level_residual.cu: a smoothing step or a residual, frame by frame. */
#ifndef KOL_CUDA_LEVEL_SMOOTH_CUH
#define KOL_CUDA_LEVEL_SMOOTH_CUH

#include "level_correct.cuh"

/* smoothing: the arguments of a sweep. */
struct smoothing {
    level_real step;
    const level_real *r;
    level_real *z_next;
};

/* smooth_sweep: a smoothing step on a frame or, without STEP, the residual. */
template <bool FAST, int AHEAD, int R_AHEAD, bool STEP, enum kind KIND, class SOURCE>
__device__ __forceinline__ void smooth_sweep(struct box b, struct level_stencil s, int planes,
                                             const struct seat &a, const struct smoothing &w,
                                             const SOURCE &source)
{
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    inverse_table_fill<KIND>(s);
    const struct level_columns<FAST> c = level_columns_make<FAST>(b, s, a.p);
    const auto load = [&](int k) { return patch_load<FAST>(a.p, w.r, (offset)k * (offset)b.sz); };
    struct quads_ahead<R_AHEAD> ahead = {
    };
    struct quad r;
    struct opens_ahead<FAST, KIND> open = {
    };
    if (!a.ring) ahead.start(begin, end, load);
    frame_sweep<FAST, AHEAD>(
        s, begin, end, a, source,
        [&](int k) {
            r = ahead.next(k, end, load);
            open.fetch(a.p, s, b, 0, k, end);
        },
        [&](int k, struct level_plane h, const struct beside &n) {
            struct quad q;
            if constexpr (KIND == PLAIN) {
                q = quad_residual(c, h, n, r);
            } else {
                q = quad_residual_open<STEP>(c, h, n, r, open.now);
            }
            if (STEP && KIND == PLAIN) {
                const struct quad inverse = level_columns_inverse(c, h);
#pragma unroll
                for (int m = 0; m < QUAD; ++m)
                    q.v[m] = point_level_smooth(n.here.v[m], w.step, q.v[m] * inverse.v[m]);
            } else if (STEP) {
#pragma unroll
                for (int m = 0; m < QUAD; ++m) {
                    q.v[m] = point_level_smooth(n.here.v[m], w.step, q.v[m]);
                    if constexpr (HAS_BITS<KIND>)
                        if (open.now.cell(m) == 0) q.v[m] = 0;
                }
            }
            if (a.own) patch_store<FAST>(a.p, w.z_next, (offset)k * (offset)b.sz, q);
        });
}

template <bool FAST, bool STEP, enum kind KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_RESIDENT)
    smooth_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                  const __grid_constant__ struct smoothing w, const level_real *z)
{
    const struct plain<FAST> f = {
        b, around, z
    };
    smooth_sweep<FAST, FAST ? 2 : 1, FAST ? 2 : 1, STEP, KIND>(b, s, planes, seat_make(b, s, around), w, f);
}

template <bool STEP, enum kind KIND>
static kol_status smooth_launch_kind(const char *name, struct box b, struct level_stencil s,
                                     struct cells cells, struct smoothing w, const level_real *z)
{
    const int planes = frame_planes(b, FRAME_RESIDENT);
    const bool fast = frame_fast(b, s, cells.around);
    auto kernel = fast ? smooth_kernel<true, STEP, KIND> : smooth_kernel<false, STEP, KIND>;
    if constexpr (STEP && KIND == BITS)
        if (fast && s.uniform) kernel = smooth_kernel<true, STEP, TABLE>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

template <bool STEP>
static kol_status smooth_launch(const char *name, struct box b, struct level_stencil s, struct cells cells,
                                struct smoothing w, const level_real *z)
{
    switch (level_kind(s)) {
    case BITS:
        return smooth_launch_kind<STEP, BITS>(name, b, s, cells, w, z);
    case WORDS:
        return smooth_launch_kind<STEP, WORDS>(name, b, s, cells, w, z);
    default:
        return smooth_launch_kind<STEP, PLAIN>(name, b, s, cells, w, z);
    }
}

#endif
