#include "level_correct.cuh"

/* Smoothing steps and residuals, frame by frame. */

/* What a step does with z_prev; SMOOTH_RESIDUAL: there is no step, the residual itself is wanted. */
enum smooth { SMOOTH_NONE, SMOOTH_FIRST, SMOOTH_READ, SMOOTH_LATE, SMOOTH_RESIDUAL };

/* smoothing: the arguments of a sweep. */
struct smoothing {
    level_real momentum, step, y0;
    const level_real *r, *z_prev;
    level_real *z_next;
};

/* A step on a frame. late: the correction that is added to z_prev. */
template <bool FAST, int AHEAD, enum smooth KIND, bool LINEAR, class SOURCE>
__device__ __forceinline__ void smooth_sweep(struct box b, struct level_stencil s, int planes,
                                             const struct seat &a, const struct smoothing &w,
                                             const SOURCE &source, const struct level_correction &late)
{
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct level_columns<FAST> c = level_columns_make<FAST>(b, s, a.p);
    struct corrector<LINEAR> y;
    if (KIND == SMOOTH_LATE) y = corrector_make<FAST, LINEAR>(late, a.p);
    struct quad r, r_next = {}, prev = {}, prev_next = {}, add = {}, add_next = {};
    frame_sweep<FAST, AHEAD>(
        s, begin, end, a, source,
        [&](int k, bool wanted) {
            r = r_next;
            prev = prev_next;
            add = add_next;
            if (!wanted) return;
            const offset plane = (offset)k * (offset)b.sz;
            r_next = patch_load<FAST>(a.p, w.r, plane);
            if (KIND == SMOOTH_READ || KIND == SMOOTH_LATE)
                prev_next = patch_load<FAST>(a.p, w.z_prev, plane);
            if (KIND == SMOOTH_LATE) add_next = correct<FAST>(y, late, a.p, k);
        },
        [&](int k, struct level_plane h, const struct beside &n) {
            struct quad q = quad_residual(c, h, n, r);
            if (KIND == SMOOTH_LATE) quad_add(prev, add);
            if (KIND != SMOOTH_RESIDUAL) {
                const struct quad inverse = level_columns_inverse(c, h);
#pragma unroll
                for (int m = 0; m < QUAD; ++m) {
                    const level_real before = KIND == SMOOTH_NONE    ? n.here.v[m]
                                              : KIND == SMOOTH_FIRST ? w.y0 * (r.v[m] * inverse.v[m])
                                                                     : prev.v[m];
                    q.v[m] =
                        point_level_chebyshev(n.here.v[m], before, w.momentum, w.step, q.v[m] * inverse.v[m]);
                }
            }
            if (a.own) patch_store<FAST>(a.p, w.z_next, (offset)k * (offset)b.sz, q);
        });
}

template <bool FAST, enum smooth KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, 3)
    smooth_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                  const __grid_constant__ struct smoothing w, const level_real *z)
{
    const struct level_correction none = {};
    const struct plain<FAST> f = {
        b, around, z
    };
    smooth_sweep<FAST, FAST && KIND != SMOOTH_READ ? 2 : 1, KIND, false>(b, s, planes,
                                                                         seat_make(b, s, around), w, f, none);
}

/* The steps with a correction: it is not yet in z where KIND is SMOOTH_NONE, in z_prev where it is SMOOTH_LATE. */
template <bool FAST, enum smooth KIND, bool LINEAR>
static __global__ void __launch_bounds__(FRAME_THREADS, LINEAR ? 2 : 3)
    correct_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                   const __grid_constant__ struct smoothing w, const level_real *z,
                   const __grid_constant__ struct level_correction late)
{
    const struct seat a = seat_make(b, s, around);
    const struct plain<FAST> f = {
        b, around, z
    };
    if (KIND == SMOOTH_LATE) {
        smooth_sweep<FAST, 1, KIND, LINEAR>(b, s, planes, a, w, f, late);
    } else {
        smooth_sweep<FAST, 1, KIND, LINEAR>(b, s, planes, a, w, corrected_make<FAST, LINEAR>(f, late, a),
                                            late);
    }
}

template <enum smooth KIND>
static kol_status smooth_launch(const char *name, struct box b, struct level_stencil s, struct cells cells,
                                struct smoothing w, const level_real *z)
{
    const int planes = frame_planes(b);
    const auto kernel =
        frame_fast(b, s, cells.around) ? smooth_kernel<true, KIND> : smooth_kernel<false, KIND>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z);
    CUDA_LAUNCHED(name);
    return KOL_OK;
}

static const char CHEBYSHEV[] = "level_chebyshev";

template <bool LINEAR>
static kol_status smooth_late(struct box b, struct level_stencil s, struct cells cells, struct smoothing w,
                              const level_real *z, const struct level_correction *late)
{
    const int planes = frame_planes(b);
    const bool fast = frame_fast(b, s, cells.around) && correction_fast(*late);
    const auto kernel =
        w.momentum != 0
            ? (fast ? correct_kernel<true, SMOOTH_LATE, LINEAR> : correct_kernel<false, SMOOTH_LATE, LINEAR>)
            : (fast ? correct_kernel<true, SMOOTH_NONE, LINEAR> : correct_kernel<false, SMOOTH_NONE, LINEAR>);
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z,
                                                                        *late);
    CUDA_LAUNCHED(CHEBYSHEV);
    return KOL_OK;
}

kol_status level_chebyshev(struct box lb, struct level_stencil s, struct cells cells, level_real momentum,
                           level_real step, level_real y0, const level_real *r, const level_real *z,
                           const level_real *z_prev, const struct level_correction *late, level_real *z_next)
{
    const struct smoothing w = {momentum, step, y0, r, z_prev, z_next};
    if (!level_whole(cells)) return KOL_OK;
    if (late != NULL)
        return correction_linear(*late) ? smooth_late<true>(lb, s, cells, w, z, late)
                                        : smooth_late<false>(lb, s, cells, w, z, late);
    if (momentum == 0) return smooth_launch<SMOOTH_NONE>(CHEBYSHEV, lb, s, cells, w, z);
    if (z_prev == NULL) return smooth_launch<SMOOTH_FIRST>(CHEBYSHEV, lb, s, cells, w, z);
    return smooth_launch<SMOOTH_READ>(CHEBYSHEV, lb, s, cells, w, z);
}

kol_status level_residual(struct box lb, struct level_stencil s, struct cells cells, const level_real *r,
                          const level_real *z, level_real *q)
{
    const struct smoothing w = {0, 0, 0, r, NULL, q};
    if (!level_whole(cells)) return KOL_OK;
    return smooth_launch<SMOOTH_RESIDUAL>("level_residual", lb, s, cells, w, z);
}
