/* The weights of the faces in a box with bodies, for the sweeps of frames. */
#ifndef KOL_CUDA_LEVEL_OPEN_CUH
#define KOL_CUDA_LEVEL_OPEN_CUH

#include "level_frame.cuh"

/* stored: what is stored for a cell: a byte or a word. opens: the same of a quad. opens_load: requests those
 * of a patch, also for the cell after the own ones. opens_one: those of a spike. Without bodies nothing is
 * read. */
template <enum kind KIND> struct stored {
    typedef unsigned type;
};
template <> struct stored<WORDS> {
    typedef level_word type;
};
template <enum kind KIND> struct opens {
    __device__ __forceinline__ bool whole(void) const
    {
        return true;
    }
};
template <> struct opens<BITS> {
    unsigned v; /* a byte for each cell */
    __device__ __forceinline__ unsigned cell(int m) const
    {
        return v >> (8 * m) & 0xffu;
    }
    __device__ __forceinline__ bool moves(void) const
    {
        return (v & 0xc0c0c0c0u) != 0;
    }
    __device__ __forceinline__ bool whole(void) const
    {
        return v == 0x3f3f3f3fu;
    }
};
template <> struct opens<TABLE> : opens<BITS> {
};
template <> struct __align__(16) opens<WORDS>
{
    level_word v[QUAD];
    __device__ __forceinline__ level_word cell(int m) const
    {
        return v[m];
    }
    __device__ __forceinline__ bool moves(void) const
    {
        return ((v[0] | v[1] | v[2] | v[3]) >> (FACES * LEVEL_FACE_BITS)) != 0;
    }
    __device__ __forceinline__ bool whole(void) const
    {
        constexpr level_word one = LEVEL_FACE_WHOLE, two = one << LEVEL_FACE_BITS | one,
                             all = (two << (2 * LEVEL_FACE_BITS) | two) << (2 * LEVEL_FACE_BITS) | two;
        return v[0] == all && v[1] == all && v[2] == all && v[3] == all;
    }
};

/* warp_whole: returns whether all faces of the quads of the warp are open. Then its cells are computed as
 * without bodies, with the same bits: multiplications and additions are not fused (Makefile), and the weights
 * are 1. All lanes must call it. */
template <enum kind KIND> __device__ __forceinline__ bool warp_whole(const struct opens<KIND> &a)
{
    return KIND == PLAIN || __all_sync(0xffffffffu, a.whole());
}

template <bool FAST, enum kind KIND>
__device__ __forceinline__ struct opens<KIND> opens_load(const struct patch &p, const struct level_stencil &s,
                                                         offset plane) {
    struct opens<KIND> a = {
    };
    const offset o = p.o + plane;
    if constexpr (HAS_BITS<KIND>) {
        if (FAST || p.n == QUAD) {
            a.v = *(const unsigned *)(s.open + o);
        } else {
#pragma unroll
            for (int m = 0; m < QUAD; ++m)
                if (m < p.n || (m == p.n && p.turn != NOWHERE))
                    a.v |= (unsigned)s.open[(offset)(o + (offset)(m < p.n ? m : m + p.turn))] << (8 * m);
        }
    } else if constexpr (KIND == WORDS) {
        if (FAST || p.n == QUAD) {
            a = *(const struct opens<WORDS> *)(s.faces + o);
        } else {
#pragma unroll
            for (int m = 0; m < QUAD; ++m)
                if (m < p.n || (m == p.n && p.turn != NOWHERE))
                    a.v[m] = s.faces[(offset)(o + (offset)(m < p.n ? m : m + p.turn))];
        }
    }
    return a;
}

template <enum kind KIND>
__device__ __forceinline__ typename stored<KIND>::type opens_one(const struct spike &e,
                                                                 const struct level_stencil &s, offset plane)
{
    if constexpr (HAS_BITS<KIND>) return s.open[(offset)(e.o + plane)];
    else if constexpr (KIND == WORDS) return s.faces[(offset)(e.o + plane)];
    else return 0;
}

/* moved_of: returns the direction in which a cell moves, or -1. */
template <enum kind KIND> __device__ __forceinline__ int moved_of(typename stored<KIND>::type a)
{
    return HAS_BITS<KIND> ? point_level_moved_bits((unsigned)a) : point_level_moved_word((level_word)a);
}

/* open_weight: returns the weight of face F, with the bits of point_level_open_word(). A number of up to 23
 * bits becomes a float if it takes the place of the last bits of 2^23, and 2^23 is subtracted. So a weight
 * needs no conversion, which is slow. */
template <int F> __device__ __forceinline__ level_real open_weight(level_word word)
{
#ifdef KOLMO_LEVEL_DOUBLE
    return point_level_open_word(word).w[F];
#else
    constexpr int fields = 4, bit = F % fields * LEVEL_FACE_BITS;
    static_assert(fields * LEVEL_FACE_BITS <= 23 && FACES <= 2 * fields, "two words of 23 bits hold all");
    constexpr unsigned mask = ((1u << LEVEL_FACE_BITS) - 1) << bit, two_to_23 = 0x4b000000u;
    constexpr float part = (float)1 / LEVEL_FACE_WHOLE;
    static_assert(LEVEL_FACE_WHOLE * part == 1, "an open face has the weight 1");
    const unsigned fields_of = F < fields ? word : word >> (fields * LEVEL_FACE_BITS);
    return (__uint_as_float((fields_of & mask) | two_to_23) - 8388608.0f) * (part / (float)(1u << bit));
#endif
}

/* open_cell: the coefficients of a cell whose faces have these weights, the same as point_level_column_open()
 * and point_level_plane_open() return. */
struct open_cell {
    struct level_column c;
    struct level_plane h;
};

template <enum kind KIND>
__device__ __forceinline__ struct open_cell open_cell(struct level_column c, struct level_plane h,
                                                      typename stored<KIND>::type a)
{
    struct open_cell q = {c, h};
    if constexpr (HAS_BITS<KIND>) {
        q.c.xl = a >> FACE_X_LOW & 1u ? c.xl : 0;
        q.c.xh = a >> FACE_X_HIGH & 1u ? c.xh : 0;
        q.c.yl = a >> FACE_Y_LOW & 1u ? c.yl : 0;
        q.c.yh = a >> FACE_Y_HIGH & 1u ? c.yh : 0;
        q.c.cross = (q.c.xl + q.c.xh) + (q.c.yl + q.c.yh);
        q.h.zl = a >> FACE_Z_LOW & 1u ? h.zl : 0;
        q.h.zh = a >> FACE_Z_HIGH & 1u ? h.zh : 0;
    } else if constexpr (KIND == WORDS) {
        const struct level_open w = {{open_weight<0>(a), open_weight<1>(a), open_weight<2>(a),
                                      open_weight<3>(a), open_weight<4>(a), open_weight<5>(a)}};
        q.c = point_level_column_open(c, w);
        q.h = point_level_plane_open(h, w);
    }
    return q;
}

/* On a uniform level 1 / D depends on nothing but which faces are open. inverse_table: returns the table of
 * it in shared memory, for each set of open faces. inverse_table_fill: fills it; all threads of the block
 * must call it. inverse_table_of: reads it for a cell. The values are those of point_level_inverse_open() and
 * point_level_inverse(). */
enum { INVERSES = 1 << FACES };
__device__ __forceinline__ level_real *inverse_table(void)
{
    __shared__ level_real table[INVERSES];
    return table;
}

__device__ __forceinline__ level_real inverse_table_of(unsigned open)
{
    return inverse_table()[open % INVERSES];
}

template <enum kind KIND> __device__ __forceinline__ void inverse_table_fill(const struct level_stencil &s)
{
    if constexpr (KIND == TABLE) {
        const unsigned open = threadIdx.x;
        if (open < INVERSES) {
            const struct open_cell o =
                open_cell<BITS>(point_level_column(s, 0, 0), point_level_plane(s, 0), open);
            inverse_table()[open] = point_level_inverse_open(o.c, o.h);
        }
        __syncthreads();
    }
}

/* open_cell_inverse: returns 1 / D of a cell whose faces have these weights; o: its coefficients.
 * whole_inverse: the same of the cells of a quad all faces of which are open. */
template <enum kind KIND>
__device__ __forceinline__ level_real open_cell_inverse(const struct open_cell &o,
                                                        typename stored<KIND>::type a)
{
    if constexpr (KIND == TABLE) return inverse_table_of(a);
    else return point_level_inverse_open(o.c, o.h);
}

template <enum kind KIND, bool SAME>
__device__ __forceinline__ struct quad whole_inverse(const struct level_columns<SAME> &c,
                                                     struct level_plane h)
{
    if constexpr (KIND == TABLE) {
        const level_real inverse = inverse_table_of(INVERSES - 1);
        return {{inverse, inverse, inverse, inverse}};
    } else {
        return level_columns_inverse(c, h);
    }
}

/* open_inverse: returns 1 / D of the cells of a quad. */
template <enum kind KIND, bool SAME>
__device__ __forceinline__ struct quad open_inverse(const struct level_columns<SAME> &c, struct level_plane h,
                                                    const struct opens<KIND> &a)
{
    struct quad q = {};
    if constexpr (KIND == TABLE) {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] = inverse_table_of(a.cell(m));
        return q;
    }
    if (warp_whole<KIND>(a)) return level_columns_inverse(c, h);
    if constexpr (KIND != PLAIN) {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) {
            const struct open_cell o = open_cell<KIND>(c[m], h, a.cell(m));
            q.v[m] = point_level_inverse_open(o.c, o.h);
        }
    }
    return q;
}

/* quad_residual_open: the residual of a quad in a box with bodies; with SCALED it is multiplied by 1 / D. */
template <bool SCALED, bool SAME, enum kind KIND>
__device__ __forceinline__ struct quad
quad_residual_open(const struct level_columns<SAME> &c, struct level_plane h, const struct beside &a,
                   const struct quad &r, const struct opens<KIND> &opens)
{
    if (warp_whole<KIND>(opens)) {
        struct quad q = quad_residual(c, h, a, r);
        if (SCALED) {
            const struct quad inverse = whole_inverse<KIND>(c, h);
#pragma unroll
            for (int m = 0; m < QUAD; ++m) q.v[m] *= inverse.v[m];
        }
        return q;
    }
    return quad_each(c, a,
                     [&](int m, level_real z, level_real xl, level_real xh, level_real yl, level_real yh,
                         level_real zl, level_real zh) {
                         const struct open_cell o = open_cell<KIND>(c[m], h, opens.cell(m));
                         const level_real rest =
                             r.v[m] - point_level_apply(o.c, o.h, z, xl, xh, yl, yh, zl, zh);
                         return SCALED ? rest * open_cell_inverse<KIND>(o, opens.cell(m)) : rest;
                     });
}

/* opens_ahead: the weights of the present plane, for `work` of frame_sweep; the next ones are requested a
 * plane ahead. fetch(k) and `now` are for its fetch and its work. */
template <bool FAST, enum kind KIND>
struct opens_ahead {
    struct opens<KIND> now, next;
    __device__ __forceinline__ void fetch(const struct patch &p, const struct level_stencil &s, struct box b,
                                          unsigned around, int k, int end){if constexpr (KIND != PLAIN){
        now = next; if (k < end) next = opens_load<FAST, KIND>(p, s, frame_plane(b, around, k));}
}
}
;

#endif
