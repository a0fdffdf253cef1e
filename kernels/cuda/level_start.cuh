/* The sweep of level_start.cu and level_begin.cu: the first smoothing steps from a zero guess. */
#ifndef KOL_CUDA_LEVEL_START_CUH
#define KOL_CUDA_LEVEL_START_CUH

#include "level_open.cuh"

/* scaled: y = r / D, as a source of frame_sweep. c: the columns of the thread's patch. end: the column of its
 * spike. */
template <bool FAST, enum kind KIND> struct scaled { struct loaded{struct quad r; struct opens<KIND> open;};
struct loaded_one {
    level_real r;
    typename stored<KIND>::type open;
};
struct plain<FAST> f;
struct level_stencil s;
struct level_columns<FAST> c;
struct level_column end;
__device__ __forceinline__ struct opens<KIND> open(const struct patch &p, int k) const {
    return opens_load<FAST, KIND>(p, s, frame_plane(f.b, f.around, k));
} __device__ __forceinline__ typename stored<KIND>::type open(const struct spike &e, int k) const
{
    return opens_one<KIND>(e, s, frame_plane(f.b, f.around, k));
}
__device__ __forceinline__ struct loaded load(const struct patch &p, int k) const
{
    const struct loaded q = {f.load(p, k), open(p, k)};
    return q;
}
__device__ __forceinline__ struct loaded_one load(const struct spike &e, int k) const
{
    const struct loaded_one q = {f.load(e, k), open(e, k)};
    return q;
}
__device__ __forceinline__ struct quad form(const struct patch &, int, struct level_plane h,
                                            const struct loaded &from) const
{
    const struct quad inverse = open_inverse<KIND>(c, h, from.open);
    struct quad q = from.r;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.v[m] *= inverse.v[m];
    return q;
}
__device__ __forceinline__ level_real form(const struct spike &, int, struct level_plane h,
                                           const struct loaded_one &from) const
{
    if constexpr (KIND == PLAIN) {
        return from.r * point_level_inverse(end, h);
    } else {
        const struct open_cell o = open_cell<KIND>(end, h, from.open);
        return from.r * open_cell_inverse<KIND>(o, from.open);
    }
}
}
;

/* start_quad: z of a quad. All lanes of the warp must call it. */
template <bool FAST, enum kind KIND>
__device__ __forceinline__ struct quad
start_quad(const struct level_columns<FAST> &c, struct level_plane h, const struct beside &n,
           const struct opens_ahead<FAST, KIND> &open, level_real c0, level_real c1)
{
    if (warp_whole<KIND>(open.now)) {
        const struct quad inverse = whole_inverse<KIND>(c, h);
        return quad_each(c, n,
                         [&](int m, level_real v, level_real xl, level_real xh, level_real yl, level_real yh,
                             level_real zl, level_real zh) {
                             return point_level_start(c[m], h, inverse.v[m], c0, c1, v, xl, xh, yl, yh, zl,
                                                      zh);
                         });
    }
    if constexpr (KIND != PLAIN) {
        return quad_each(c, n,
                         [&](int m, level_real v, level_real xl, level_real xh, level_real yl, level_real yh,
                             level_real zl, level_real zh) {
                             const struct open_cell o = open_cell<KIND>(c[m], h, open.now.cell(m));
                             return point_level_start(o.c, o.h, open_cell_inverse<KIND>(o, open.now.cell(m)),
                                                      c0, c1, v, xl, xh, yl, yh, zl, zh);
                         });
    }
    return {};
}

/* start_sweep: computes z of planes begin .. end - 1, from what the source makes of r. */
template <bool FAST, enum kind KIND, class SOURCE>
__device__ __forceinline__ void start_sweep(struct box b, struct level_stencil s, unsigned around, int begin,
                                            int end, const struct seat &a,
                                            const struct level_columns<FAST> &c, const SOURCE &source,
                                            level_real c0, level_real c1, level_real *z)
{
    struct opens_ahead<FAST, KIND> open = {
    };
    inverse_table_fill<KIND>(s);
    frame_sweep<FAST, FAST ? 2 : 1>(
        s, begin, end, a, source, [&](int k) { open.fetch(a.p, s, b, around, k, end); },
        [&](int k, struct level_plane h, const struct beside &n) {
            const struct quad q = start_quad<FAST, KIND>(c, h, n, open, c0, c1);
            if (a.own) patch_store<FAST>(a.p, z, (offset)k * (offset)b.sz, q);
        });
}

template <bool FAST, enum kind KIND>
__device__ __forceinline__ struct scaled<FAST, KIND> scaled_make(struct box b, struct level_stencil s,
                                                                 unsigned around, const struct seat &a,
                                                                 const level_real *r) {
    const struct scaled<FAST, KIND> y = {
        {b, around, r}, s, level_columns_make<FAST>(b, s, a.p),
            point_level_column(s, a.e.any ? a.e.i : 0, a.e.any ? a.e.j : 0)
    };
    return y;
}

#endif
