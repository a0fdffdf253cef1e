/* Takes one smoothing step on a level. */
#include "level_smooth.cuh"

int level_smooth_corrects(void)
{
    return 1;
}

/* correct_resident: number of thread blocks on a multiprocessor. */
static constexpr int correct_resident(bool fast, enum way way)
{
    return way == WAY_CONSTANT || (fast && way == WAY_LINEAR_Z) ? FRAME_RESIDENT : FRAME_FEW;
}

/* Takes a step and adds a correction that is not yet in z. */
template <bool FAST, enum way WAY, enum kind KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, correct_resident(FAST, WAY))
    correct_kernel(struct box b, struct level_stencil s, unsigned around, int planes,
                   const __grid_constant__ struct smoothing w, const level_real *z,
                   const __grid_constant__ struct level_correction correction)
{
    const struct seat a = seat_make(b, s, around);
    const struct plain<FAST> f = {
        b, around, z
    };
    smooth_sweep<FAST, 1, 1, true, KIND>(b, s, planes, a, w, source_of<FAST, WAY, KIND>(f, correction, s, a));
}

static const char SMOOTH[] = "level_smooth";

template <enum way WAY, enum kind KIND>
static kol_status correct_launch(struct box b, struct level_stencil s, struct cells cells, struct smoothing w,
                                 const level_real *z, const struct level_correction *correction)
{
    const bool fast = frame_fast(b, s, cells.around) && correction_fast(*correction);
    const int planes = frame_planes(b, correct_resident(fast, WAY));
    auto kernel = fast ? correct_kernel<true, WAY, KIND> : correct_kernel<false, WAY, KIND>;
    if constexpr (KIND == BITS)
        if (fast && s.uniform) kernel = correct_kernel<true, WAY, TABLE>;
    kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, w, z,
                                                                        *correction);
    CUDA_LAUNCHED(SMOOTH);
    return KOL_OK;
}

kol_status level_smooth(struct box lb, struct level_stencil s, struct cells cells, level_real step,
                        const level_real *r, const level_real *z, const struct level_correction *correction,
                        level_real *z_next)
{
    const struct smoothing w = {step, r, z_next};
    if (!level_compute_all(cells)) return KOL_OK;
    if (correction == NULL) return smooth_launch<true>(SMOOTH, lb, s, cells, w, z);
    if (level_kind(s) == BITS) return correct_launch<WAY_CONSTANT, BITS>(lb, s, cells, w, z, correction);
    if (level_kind(s) == WORDS) return correct_launch<WAY_CONSTANT, WORDS>(lb, s, cells, w, z, correction);
    switch (correction_way(*correction)) {
    case WAY_CONSTANT:
        return correct_launch<WAY_CONSTANT, PLAIN>(lb, s, cells, w, z, correction);
    case WAY_LINEAR_Z:
        return correct_launch<WAY_LINEAR_Z, PLAIN>(lb, s, cells, w, z, correction);
    default:
        return correct_launch<WAY_LINEAR, PLAIN>(lb, s, cells, w, z, correction);
    }
}
