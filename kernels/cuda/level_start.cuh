/* The sweep of level_start.cu and level_begin.cu: the first smoothing steps from a zero guess. */
#ifndef KOL_CUDA_LEVEL_START_CUH
#define KOL_CUDA_LEVEL_START_CUH

#include "level_frame.cuh"

/* scaled: y = r / D, as a source of frame_sweep. c: the columns of the thread's patch. end: the column of its
 * spike. */
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

/* start_sweep: computes z of planes begin .. end - 1, from what the source makes of r. */
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

#endif
