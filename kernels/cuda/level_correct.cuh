/* The correction from the coarser grid where it is wanted: P e of level_prolong, cell by cell or for a quad. */
#ifndef KOL_CUDA_LEVEL_CORRECT_CUH
#define KOL_CUDA_LEVEL_CORRECT_CUH

#include "level_frame.cuh"

/* coarse_cells: a fine cell's parents in one direction, as places in the coarse array. */
__device__ __forceinline__ struct level_parents coarse_cells(struct level_transfer t, int i, int shift, int n,
                                                             unsigned around, int direction)
{
    struct level_parents p = point_level_parents(t, i);
    p.parent = level_turned(p.parent + shift, n, around, direction);
    p.other = level_turned(p.other + shift, n, around, direction);
    return p;
}

/* value_over_y: e at coarse column i of coarse plane k, interpolated over y; value_over_y_and_z: over z, too. */
__device__ __forceinline__ level_real value_over_y(struct box cb, const struct level_parents &y,
                                                   const level_real *e, int i, int k)
{
    const level_real v = y.own * __ldg(e + at(cb, i, y.parent, k));
    return y.beside != 0 ? v + y.beside * __ldg(e + at(cb, i, y.other, k)) : v;
}

__device__ __forceinline__ level_real value_over_y_and_z(struct box cb, const struct level_parents &y,
                                                         const struct level_parents &z, const level_real *e,
                                                         int i)
{
    const level_real v = z.own * value_over_y(cb, y, e, i, z.parent);
    return z.beside != 0 ? v + z.beside * value_over_y(cb, y, e, i, z.other) : v;
}

__device__ __forceinline__ level_real value_over_all(struct box cb, const struct level_parents &x,
                                                     const struct level_parents &y,
                                                     const struct level_parents &z, const level_real *e)
{
    const level_real own = x.own * value_over_y_and_z(cb, y, z, e, x.parent);
    return x.beside != 0 ? own + x.beside * value_over_y_and_z(cb, y, z, e, x.other) : own;
}

/* correction_fast: whether FAST sweeps may take it: every patch is quick. */
static inline bool correction_fast(const struct level_correction &c)
{
    return c.paired && c.shift[X] % QUAD == 0;
}

static inline bool correction_linear(const struct level_correction &c)
{
    return c.t.linear[X] || c.t.linear[Y] || c.t.linear[Z];
}

__device__ __forceinline__ struct level_parents correction_x(const struct level_correction &c, int i)
{
    return coarse_cells(c.t.x, i, c.shift[X], c.box.nx, c.around, X);
}

__device__ __forceinline__ struct level_parents correction_y(const struct level_correction &c, int j)
{
    return coarse_cells(c.t.y, j, c.shift[Y], c.box.ny, c.around, Y);
}

__device__ __forceinline__ struct level_parents correction_z(const struct level_correction &c, int k)
{
    return coarse_cells(c.t.z, k, c.shift[Z], c.box.nz, c.around, Z);
}

/* correction_z_constant: the parent in z alone. */
__device__ __forceinline__ int correction_z_constant(const struct level_correction &c, int k)
{
    return level_turned(c.t.z.parent[k] + c.shift[Z], c.box.nz, c.around, Z);
}

/* correction_of: of the cell in plane k with parents x and y. Weights of constant passages are 1. */
template <bool LINEAR>
__device__ __forceinline__ level_real correction_of(const struct level_correction &c,
                                                    const struct level_parents &x,
                                                    const struct level_parents &y, int k)
{
    if (!LINEAR) return __ldg(c.e + at(c.box, x.parent, y.parent, correction_z_constant(c, k)));
    return value_over_all(c.box, x, y, correction_z(c, k), c.e);
}

/* corrector: what a thread knows beforehand of the correction of a patch. quick: the patch is a quad, and its coarse cells lie side by
 * side: four where x is not coarsened, else two, and for LINEAR low before them and high after. row, other: where those of the
 * parents in y begin. */
template <bool LINEAR> struct corrector {
    offset row, other;
    level_real own, beside;
    int low, high;
    bool quick, halved;
};

template <bool FAST, bool LINEAR>
__device__ __forceinline__ struct corrector<LINEAR> corrector_make(const struct level_correction &c,
                                                                   const struct patch &p) {
    const bool any = p.n > 0 || p.turn != NOWHERE;
    const int i = FAST || p.n > 0 ? p.i : 0, first = c.t.x.parent[i], column = first + c.shift[X];
    const struct level_parents y = correction_y(c, any ? p.j : 0);
    struct corrector<LINEAR> a;
    a.halved = c.t.x.parent[i + 1] == first;
    a.quick = FAST || (c.paired && p.n == QUAD && p.i % QUAD == 0 && column % (a.halved ? 2 : QUAD) == 0);
    a.row = (offset)at(c.box, column, y.parent, 0);
    a.other = (offset)at(c.box, column, y.other, 0);
    a.own = y.own;
    a.beside = y.beside;
    a.low = level_turned(column - 1, c.box.nx, c.around, X) - column;
    a.high = level_turned(column + 2, c.box.nx, c.around, X) - column;
    return a;
}

/* correct_row: e at the coarse cells of the quad; where there are two, they are the second and the third. */
template <bool LINEAR>
__device__ __forceinline__ struct quad correct_row(const struct corrector<LINEAR> &a,
                                                   const struct level_correction &c, offset from)
{
    const level_real *const e = c.e + from;
    if (!a.halved) return *(const struct quad *)e;
    const struct two middle = *(const struct two *)e;
    struct quad q;
    q.v[0] = LINEAR && c.t.linear[X] ? __ldg(e + a.low) : 0;
    q.v[1] = middle.v[0];
    q.v[2] = middle.v[1];
    q.v[3] = LINEAR && c.t.linear[X] ? __ldg(e + a.high) : 0;
    return q;
}

/* correct_rows: the same, interpolated over y. */
template <bool LINEAR>
__device__ __forceinline__ struct quad correct_rows(const struct corrector<LINEAR> &a,
                                                    const struct level_correction &c, offset plane)
{
    struct quad q = correct_row(a, c, a.row + plane);
    if constexpr (LINEAR) {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] *= a.own;
        if (a.beside == 0) return q;
        const struct quad other = correct_row(a, c, a.other + plane);
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] += a.beside * other.v[m];
    }
    return q;
}

/* correct_planes: over z, too. */
template <bool LINEAR>
__device__ __forceinline__ struct quad correct_planes(const struct corrector<LINEAR> &a,
                                                      const struct level_correction &c, int k)
{
    if constexpr (!LINEAR) {
        return correct_rows(a, c, (offset)correction_z_constant(c, k) * (offset)c.box.sz);
    } else {
        const struct level_parents z = correction_z(c, k);
        struct quad q = correct_rows(a, c, (offset)z.parent * (offset)c.box.sz);
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] *= z.own;
        if (z.beside == 0) return q;
        const struct quad other = correct_rows(a, c, (offset)z.other * (offset)c.box.sz);
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] += z.beside * other.v[m];
        return q;
    }
}

/* correct_over_x: the four cells from two coarse ones and those beside them. */
template <bool LINEAR>
__device__ __forceinline__ struct quad correct_over_x(const struct level_correction &c, int i,
                                                      const struct quad &over)
{
    struct quad q = {{over.v[1], over.v[1], over.v[2], over.v[2]}};
    if constexpr (LINEAR) {
        if (!c.t.linear[X]) return q;
#pragma unroll
        for (int m = 0; m < QUAD; ++m) {
            const level_real low = c.t.x.low[i + m], high = c.t.x.high[i + m];
            const level_real own = ((1 - low) - high) * q.v[m];
            const level_real other = m == 0 ? over.v[0] : m == 1 ? over.v[2] : m == 2 ? over.v[1] : over.v[3];
            q.v[m] = low != 0 || high != 0 ? own + (low + high) * other : own;
        }
    }
    return q;
}

/* correct: P e of the patch in plane k. */
template <bool FAST, bool LINEAR>
__device__ __forceinline__ struct quad correct(const struct corrector<LINEAR> &a,
                                               const struct level_correction &c, const struct patch &p, int k)
{
    if (FAST || a.quick) {
        const struct quad q = correct_planes(a, c, k);
        return a.halved ? correct_over_x<LINEAR>(c, p.i, q) : q;
    }
    const struct level_parents y = correction_y(c, p.n > 0 || p.turn != NOWHERE ? p.j : 0);
    return patch_each(p,
                      [&](int m, int) { return correction_of<LINEAR>(c, correction_x(c, p.i + m), y, k); });
}

__device__ __forceinline__ void quad_add(struct quad &q, const struct quad &add)
{
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.v[m] += add.v[m];
}

/* corrected: a field and its correction; y: of the thread's patch; end_x, end_y: of its spike. */
template <bool FAST, bool LINEAR> struct corrected {
    struct loaded {
        struct quad z, add;
    };
    typedef level_real loaded_one;
    struct plain<FAST> f;
    struct level_correction c;
    struct corrector<LINEAR> y;
    struct level_parents end_x, end_y;
    __device__ __forceinline__ struct loaded load(const struct patch &p, int k) const
    {
        const struct loaded q = {f.load(p, k), correct<FAST>(y, c, p, k)};
        return q;
    }
    __device__ __forceinline__ level_real load(const struct spike &e, int k) const
    {
        if (!e.any) return 0;
        return f.load(e, k) + correction_of<LINEAR>(c, end_x, end_y, k);
    }
    __device__ __forceinline__ struct quad form(const struct patch &, int, struct level_plane,
                                                const struct loaded &from) const
    {
        struct quad q = from.z;
        quad_add(q, from.add);
        return q;
    }
    __device__ __forceinline__ level_real form(const struct spike &, int, struct level_plane,
                                               level_real v) const
    {
        return v;
    }
};

template <bool FAST, bool LINEAR>
__device__ __forceinline__ struct corrected<FAST, LINEAR>
corrected_make(const struct plain<FAST> &f, const struct level_correction &c, const struct seat &a) {
    const struct corrected<FAST, LINEAR> s = {
        f, c, corrector_make<FAST, LINEAR>(c, a.p), correction_x(c, a.e.any ? a.e.i : 0),
            correction_y(c, a.e.any ? a.e.j : 0)
    };
    return s;
}

#endif
