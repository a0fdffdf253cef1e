/* Smooths a level for the first time, from a zero guess. */
#include "level_start.cuh"

template <bool FAST, enum kind KIND>
static __global__ void __launch_bounds__(FRAME_THREADS, FRAME_RESIDENT)
    start_kernel(struct box b, struct level_stencil s, unsigned around, int planes, level_real c0,
                 level_real c1, const level_real *r, level_real *z)
{
    const struct seat a = seat_make(b, s, around);
    const int begin = (int)blockIdx.z * planes, end = min(begin + planes, b.nz);
    const struct scaled<FAST, KIND> y = scaled_make<FAST, KIND>(b, s, around, a, r);
    start_sweep<FAST, KIND>(b, s, around, begin, end, a, y.c, y, c0, c1, z);
}

template <enum kind KIND>
static __global__ void __launch_bounds__(LEVEL_THREADS)
    jacobi_kernel(struct box b, struct level_stencil s, int planes, level_real c0, const level_real *r,
                  level_real *z)
{
    const struct level_spot a = level_spot(b.nx, b.ny, b.nz, planes);
    if (!a.own) return;
    const struct level_column c = point_level_column(s, a.i, a.j);
    ptrdiff_t o = at(b, a.i, a.j, a.z0);
#pragma unroll 4
    for (int k = a.z0; k < a.z1; ++k, o += b.sz) {
        const struct level_plane h = point_level_plane(s, k);
        if constexpr (KIND == PLAIN) {
            z[o] = c0 * (__ldg(r + o) * point_level_inverse(c, h));
        } else {
            const struct level_open w = point_level_open(s, o, KIND == BITS);
            z[o] = c0 * (__ldg(r + o) * point_level_inverse_open(point_level_column_open(c, w),
                                                                 point_level_plane_open(h, w)));
        }
    }
}

template <enum kind KIND>
static kol_status launch(struct box b, struct level_stencil s, struct cells cells, level_real c0,
                         level_real c1, const level_real *r, level_real *z)
{
    if (c1 == 0) {
        const int planes = level_planes(b.nx, b.ny, b.nz);
        jacobi_kernel<KIND><<<level_grid(b.nx, b.ny, b.nz, planes), level_block(), 0, queue_stream()>>>(
            b, s, planes, c0, r, z);
    } else {
        const int planes = frame_planes(b, FRAME_RESIDENT);
        const bool fast = frame_fast(b, s, cells.around);
        auto kernel = fast ? start_kernel<true, KIND> : start_kernel<false, KIND>;
        if constexpr (KIND == BITS)
            if (fast && s.uniform) kernel = start_kernel<true, TABLE>;
        kernel<<<frame_grid(b, planes), FRAME_THREADS, 0, queue_stream()>>>(b, s, cells.around, planes, c0,
                                                                            c1, r, z);
    }
    CUDA_LAUNCHED("level_start");
    return KOL_OK;
}

kol_status level_start(struct box lb, struct level_stencil s, struct cells cells, level_real c0,
                       level_real c1, const level_real *r, level_real *z)
{
    if (!level_compute_all(cells)) return KOL_OK;
    switch (level_kind(s)) {
    case BITS:
        return launch<BITS>(lb, s, cells, c0, c1, r, z);
    case WORDS:
        return launch<WORDS>(lb, s, cells, c0, c1, r, z);
    default:
        return launch<PLAIN>(lb, s, cells, c0, c1, r, z);
    }
}
