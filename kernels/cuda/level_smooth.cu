#include "level_correct.cuh"

/* Smoothing steps and residuals, frame by frame. */

/* smoothing: the arguments of a sweep. */
struct smoothing {
    level_real step;
    const level_real *r;
    level_real *z_next;
};

/* A step on a frame, or, without STEP, the residual. */
template <bool FAST, int AHEAD, int R_AHEAD, bool STEP, class SOURCE>
__device__ __forceinline__ void smooth_sweep(struct box b, struct level_stencil s, int planes,
                                             const struct seat &a, const struct smoothing &w,
                                             const SOURCE &source)
{
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct level_columns<FAST> c = level_columns_make<FAST>(b, s, a.p);
    const auto load = [&](int k) { return patch_load<FAST>(a.p, w.r, (offset)k * (offset)b.sz); };
    struct quads_ahead<R_AHEAD> ahead = {
    };
    struct quad r;
    if (!a.ring) ahead.start(begin, end, load);
    frame_sweep<FAST, AHEAD>(
        s, begin, end, a, source, [&](int k) { r = ahead.next(k, end, load); },
        [&](int k, struct level_plane h, const struct beside &n) {
            struct quad q = quad_residual(c, h, n, r);
            if (STEP) {
                const struct quad inverse = level_columns_inverse(c, h);
#pragma unroll
                for (int m = 0; m < QUAD; ++m)
                    q.v[m] = point_level_smooth(n.here.v[m], w.step, q.v[m] * inverse.v[m]);
            }
            if (a.own) patch_store<FAST>(a.p, w.z_next, (offset)k * (offset)b.sz, q);
        });
}

template <bool FAST, bool STEP>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_RESIDENT)
    smooth_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                  const __grid_constant__ struct smoothing w, const level_real *z)
{
    const struct plain<FAST> f = {
        b, around, z
    };
    smooth_sweep<FAST, FAST ? 2 : 1, FAST ? 2 : 1, STEP>(b, s, planes, seat_make(b, s, around), w, f);
}

/* correct_resident: thread blocks of a multiprocessor. */
static constexpr int correct_resident(bool fast, enum way way)
{
    return way == WAY_CONSTANT || (fast && way == WAY_LINEAR_Z) ? FRAME_RESIDENT : FRAME_FEW;
}

/* A step with a correction that is not yet in z. */
template <bool FAST, enum way WAY>
static __global__ void __launch_bounds__(FRAME_THREADS, correct_resident(FAST, WAY))
    correct_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                   const __grid_constant__ struct smoothing w, const level_real *z,
                   const __grid_constant__ struct level_correction late)
{
    const struct seat a = seat_make(b, s, around);
    const struct plain<FAST> f = {
        b, around, z
    };
    smooth_sweep<FAST, 1, 1, true>(b, s, planes, a, w, corrected_make<FAST, WAY>(f, late, a));
}

template <bool STEP>
static kol_status smooth_launch(const char *name, struct box b, struct level_stencil s, struct cells cells,
                                struct smoothing w, const level_real *z)
{
    const int planes = frame_planes(b, FRAME_RESIDENT);
    const auto kernel =
        frame_fast(b, s, cells.around) ? smooth_kernel<true, STEP> : smooth_kernel<false, STEP>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

static const char SMOOTH[] = "level_smooth";

template <enum way WAY>
static kol_status correct_launch(struct box b, struct level_stencil s, struct cells cells, struct smoothing w,
                                 const level_real *z, const struct level_correction *late)
{
    const bool fast = frame_fast(b, s, cells.around) && correction_fast(*late);
    const int planes = frame_planes(b, correct_resident(fast, WAY));
    const auto kernel = fast ? correct_kernel<true, WAY> : correct_kernel<false, WAY>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z,
                                                                        *late);
    CUDA_LAUNCHED(SMOOTH);
    return KOL_OK;
}

kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *late,
                        level_real *z_next)
{
    const struct smoothing w = {step, r, z_next};
    if (!level_whole(cells)) return KOL_OK;
    if (late == NULL) return smooth_launch<true>(SMOOTH, lb, s, cells, w, z);
    switch (correction_way(*late)) {
    case WAY_CONSTANT:
        return correct_launch<WAY_CONSTANT>(lb, s, cells, w, z, late);
    case WAY_LINEAR_Z:
        return correct_launch<WAY_LINEAR_Z>(lb, s, cells, w, z, late);
    default:
        return correct_launch<WAY_LINEAR>(lb, s, cells, w, z, late);
    }
}

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    const struct smoothing w = {0, r, q};
    if (!level_whole(cells)) return KOL_OK;
    return smooth_launch<false>("level_residual", lb, s, cells, w, z);
}
