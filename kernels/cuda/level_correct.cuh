/* The correction P e from the coarser level, computed where a sweep needs it, for one cell or for four. */
#ifndef KOL_CUDA_LEVEL_CORRECT_CUH
#define KOL_CUDA_LEVEL_CORRECT_CUH

#include "level_open.cuh"

/* coarse_cells: returns the parents of a fine cell in one direction, as places in the coarse array. */
__device__ __forceinline__ struct level_parents coarse_cells(struct level_transfer t, int i, int shift, int n,
                                                             unsigned around, int direction)
{
    struct level_parents p = point_level_parents(t, i);
    p.parent = level_turned(p.parent + shift, n, around, direction);
    p.other = level_turned(p.other + shift, n, around, direction);
    return p;
}

/* value_over_y: returns e at coarse column i of coarse plane k, interpolated in y. value_over_y_and_z:
 * returns the same, interpolated in z, too. */
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

/* correction_fast: returns whether FAST sweeps can take this correction, which requires that every patch is
 * quick. */
static inline bool correction_fast(const struct level_correction &c)
{
    return c.aligned && c.t.regular[X] && c.shift[X] % QUAD == 0;
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

/* correction_z_constant: returns the parent in z, for transfers that are constant in z. */
__device__ __forceinline__ int correction_z_constant(const struct level_correction &c, int k)
{
    return level_turned(c.t.z.parent[k] + c.shift[Z], c.box.nz, c.around, Z);
}

/* way: which transfers are linear: none, only that in z, or any. */
enum way { WAY_CONSTANT, WAY_LINEAR_Z, WAY_LINEAR };

static inline enum way correction_way(const struct level_correction &c)
{
    if (c.t.linear[X] || c.t.linear[Y]) return WAY_LINEAR;
    return c.t.linear[Z] ? WAY_LINEAR_Z : WAY_CONSTANT;
}

/* correction_of: returns the correction of the cell in plane k with parents x and y. If transfers are
 * constant, weights are 1. */
template <enum way WAY>
__device__ __forceinline__ level_real correction_of(const struct level_correction &c,
                                                    const struct level_parents &x,
                                                    const struct level_parents &y, int k)
{
    if (WAY == WAY_CONSTANT) return __ldg(c.e + at(c.box, x.parent, y.parent, correction_z_constant(c, k)));
    return value_over_all(c.box, x, y, correction_z(c, k), c.e);
}

/* corrector: what a thread computes beforehand for the correction of a patch.
 *
 *   quick        whether the coarse cells of the patch can be loaded together. Then the patch is a complete
 *                quad, and its coarse cells lie side by side: four if x is not coarsened, two if its pairs
 *                are regular
 *   low, high    distances to the coarse cells before and after these two, which WAY_LINEAR also needs
 *   row, other   where the rows of the parents in y begin */
struct corrector {
    offset row, other;
    level_real own, beside;
    int low, high;
    bool quick, halved;
};

template <bool FAST>
__device__ __forceinline__ struct corrector corrector_make(const struct level_correction &c,
                                                           const struct patch &p)
{
    const bool any = p.n > 0 || p.turn != NOWHERE;
    const int i = FAST || p.n > 0 ? p.i : 0, first = c.t.x.parent[i], column = first + c.shift[X];
    const struct level_parents y = correction_y(c, any ? p.j : 0);
    struct corrector a;
    a.halved = c.t.x.parent[i + 1] == first;
    a.quick = FAST || (c.aligned && c.t.regular[X] && p.n == QUAD && p.i % QUAD == 0 &&
                       column % (a.halved ? 2 : QUAD) == 0);
    a.row = (offset)at(c.box, column, y.parent, 0);
    a.other = (offset)at(c.box, column, y.other, 0);
    a.own = y.own;
    a.beside = y.beside;
    a.low = level_turned(column - 1, c.box.nx, c.around, X) - column;
    a.high = level_turned(column + 2, c.box.nx, c.around, X) - column;
    return a;
}

/* coarse_rows: what is loaded for the correction of a patch, before it is interpolated. The first half of
 * the rows holds e in the coarse plane that is the parent in z; the second half holds e in the other coarse
 * plane. With linear interpolation in y (WAY_LINEAR), each half has the row of the parent in y and the
 * other row. If the coarse cells of the patch cannot be loaded together (quick is 0), the first row holds
 * the interpolated correction. Values of weight 0 are not loaded. */
template <enum way WAY> struct coarse_rows {
    static constexpr int ROWS = WAY == WAY_LINEAR ? 2 : 1, PLANES = WAY == WAY_CONSTANT ? 1 : 2;
    struct quad row[PLANES * ROWS];
};

/* correct_row: loads e at the coarse cells of the quad. If there are two, they become the second and the
 * third value. */
template <enum way WAY>
__device__ __forceinline__ struct quad correct_row(const struct corrector &a,
                                                   const struct level_correction &c, offset from)
{
    const level_real *const e = c.e + from;
    if (!a.halved) return *(const struct quad *)e;
    const struct two middle = *(const struct two *)e;
    const bool linear = WAY == WAY_LINEAR && c.t.linear[X];
    struct quad q;
    q.v[0] = linear ? __ldg(e + a.low) : 0;
    q.v[1] = middle.v[0];
    q.v[2] = middle.v[1];
    q.v[3] = linear ? __ldg(e + a.high) : 0;
    return q;
}

/* correct_load: loads the rows for the patch in plane k. */
template <bool FAST, enum way WAY>
__device__ __forceinline__ struct coarse_rows<WAY>
correct_load(const struct corrector &a, const struct level_correction &c, const struct patch &p, int k) {
    constexpr int ROWS = coarse_rows<WAY>::ROWS;
    struct coarse_rows<WAY> e = {
    };
    if (FAST || a.quick) {
        const auto plane = [&](int from, int k_coarse) {
            const offset o = (offset)k_coarse * (offset)c.box.sz;
            e.row[from] = correct_row<WAY>(a, c, a.row + o);
            if constexpr (ROWS > 1)
                if (a.beside != 0) e.row[from + 1] = correct_row<WAY>(a, c, a.other + o);
        };
        if constexpr (WAY == WAY_CONSTANT) {
            plane(0, correction_z_constant(c, k));
        } else {
            const struct level_parents z = correction_z(c, k);
            plane(0, z.parent);
            if (z.beside != 0) plane(ROWS, z.other);
        }
    } else {
        const struct level_parents y = correction_y(c, p.n > 0 || p.turn != NOWHERE ? p.j : 0);
        e.row[0] =
            patch_each(p, [&](int m, int) { return correction_of<WAY>(c, correction_x(c, p.i + m), y, k); });
    }
    return e;
}

/* correct_over_y: interpolates one plane in y. from: number of its first row. */
template <enum way WAY>
__device__ __forceinline__ struct quad correct_over_y(const struct corrector &a,
                                                      const struct coarse_rows<WAY> &e, int from)
{
    struct quad q = e.row[from];
    if constexpr (WAY == WAY_LINEAR) {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] *= a.own;
        if (a.beside == 0) return q;
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] += a.beside * e.row[from + 1].v[m];
    }
    return q;
}

/* correct_over_z: interpolates both planes in y, and then in z. */
template <enum way WAY>
__device__ __forceinline__ struct quad correct_over_z(const struct corrector &a,
                                                      const struct level_correction &c,
                                                      const struct coarse_rows<WAY> &e, int k)
{
    struct quad q = correct_over_y<WAY>(a, e, 0);
    if constexpr (WAY != WAY_CONSTANT) {
        const level_real own = point_level_own(c.t.z, k), beside = c.t.z.low[k] + c.t.z.high[k];
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] *= own;
        if (beside == 0) return q;
        const struct quad other = correct_over_y<WAY>(a, e, coarse_rows<WAY>::ROWS);
#pragma unroll
        for (int m = 0; m < QUAD; ++m) q.v[m] += beside * other.v[m];
    }
    return q;
}

/* correct_over_x: interpolates in x: the four cells, from two coarse ones and those beside them. */
template <enum way WAY>
__device__ __forceinline__ struct quad correct_over_x(const struct level_correction &c, int i,
                                                      const struct quad &over)
{
    struct quad q = {{over.v[1], over.v[1], over.v[2], over.v[2]}};
    if constexpr (WAY == WAY_LINEAR) {
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

/* correct: computes P e of the patch in plane k, from what was loaded for it. */
template <bool FAST, enum way WAY>
__device__ __forceinline__ struct quad correct(const struct corrector &a, const struct level_correction &c,
                                               const struct patch &p, int k, const struct coarse_rows<WAY> &e)
{
    if (!FAST && !a.quick) return e.row[0];
    const struct quad q = correct_over_z<WAY>(a, c, e, k);
    return a.halved ? correct_over_x<WAY>(c, p.i, q) : q;
}

/* corrected: a field plus its correction, as a source of frame_sweep. What is loaded is added up one plane
 * later, so that no thread waits for it.
 *
 *   y              corrector of the thread's patch
 *   end_x, end_y   parents of its spike */
template <bool FAST, enum way WAY>
struct corrected {
    struct loaded{struct quad z; struct coarse_rows<WAY> e;};
/* e: in the plane of the parent and in the other one; for WAY_LINEAR the correction */
struct loaded_one {
    level_real z, e[WAY == WAY_LINEAR_Z ? 2 : 1];
};
struct plain<FAST> f;
struct level_correction c;
struct corrector y;
struct level_parents end_x, end_y;
__device__ __forceinline__ struct loaded load(const struct patch &p, int k) const
{
    const struct loaded q = {f.load(p, k), correct_load<FAST, WAY>(y, c, p, k)};
    return q;
}
__device__ __forceinline__ struct loaded_one load(const struct spike &e, int k) const
{
    struct loaded_one q = {};
    if (!e.any) return q;
    q.z = f.load(e, k);
    if constexpr (WAY == WAY_LINEAR_Z) {
        const struct level_parents z = correction_z(c, k);
        const level_real *const column = c.e + at(c.box, end_x.parent, end_y.parent, 0);
        q.e[0] = __ldg(column + (ptrdiff_t)z.parent * c.box.sz);
        if (z.beside != 0) q.e[1] = __ldg(column + (ptrdiff_t)z.other * c.box.sz);
    } else {
        q.e[0] = correction_of<WAY>(c, end_x, end_y, k);
    }
    return q;
}
__device__ __forceinline__ struct quad form(const struct patch &p, int k, struct level_plane,
                                            const struct loaded &from) const
{
    const struct quad add = correct<FAST, WAY>(y, c, p, k, from.e);
    struct quad q = from.z;
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.v[m] += add.v[m];
    return q;
}
__device__ __forceinline__ level_real form(const struct spike &e, int k, struct level_plane,
                                           const struct loaded_one &from) const
{
    level_real add = from.e[0];
    if (!e.any) return 0;
    if constexpr (WAY == WAY_LINEAR_Z) {
        const level_real beside = c.t.z.low[k] + c.t.z.high[k];
        add *= point_level_own(c.t.z, k);
        if (beside != 0) add += beside * from.e[1];
    }
    return from.z + add;
}
}
;

template <bool FAST, enum way WAY>
__device__ __forceinline__ struct corrected<FAST, WAY>
corrected_make(const struct plain<FAST> &f, const struct level_correction &c, const struct seat &a) {
    const struct corrected<FAST, WAY> s = {
        f, c, corrector_make<FAST>(c, a.p), correction_x(c, a.e.any ? a.e.i : 0),
            correction_y(c, a.e.any ? a.e.j : 0)
    };
    return s;
}

/* corrected_open: the same in a box with bodies, with constant transfers. The cells that move have the
 * correction of another coarse cell. any: whether the patch has cells. */
template <bool FAST, enum kind KIND>
struct corrected_open {
    typedef struct corrected<FAST, WAY_CONSTANT> closed;
    struct loaded{typename closed::loaded q; struct opens<KIND> open;};
struct loaded_one {
    typename closed::loaded_one q;
    typename stored<KIND>::type open;
};
closed f;
struct level_stencil s;
bool any;
__device__ __forceinline__ struct loaded load(const struct patch &p, int k) const
{
    const struct loaded q = {f.load(p, k), opens_load<FAST, KIND>(p, s, frame_plane(f.f.b, f.f.around, k))};
    return q;
}
__device__ __forceinline__ struct loaded_one load(const struct spike &e, int k) const
{
    const struct loaded_one q = {f.load(e, k), opens_one<KIND>(e, s, frame_plane(f.f.b, f.f.around, k))};
    return q;
}
__device__ __forceinline__ struct quad form(const struct patch &p, int k, struct level_plane,
                                            const struct loaded &from) const
{
    struct quad add = correct<FAST, WAY_CONSTANT>(f.y, f.c, p, k, from.q.e), q = from.q.z;
    if (any && from.open.moves()) {
#pragma unroll
        for (int m = 0; m < QUAD; ++m) {
            const int moves = moved_of<KIND>(from.open.cell(m));
            if (moves >= 0) add.v[m] = point_level_correction(&f.c, moves, p.i + m, p.j, k);
        }
    }
#pragma unroll
    for (int m = 0; m < QUAD; ++m) q.v[m] += add.v[m];
    return q;
}
__device__ __forceinline__ level_real form(const struct spike &e, int k, struct level_plane h,
                                           const struct loaded_one &from) const
{
    const int moves = moved_of<KIND>(from.open);
    if (!e.any || moves < 0) return f.form(e, k, h, from.q);
    return from.q.z + point_level_correction(&f.c, moves, e.i, e.j, k);
}
}
;

/* source_of: returns the source for a kind of level. */
template <bool FAST, enum way WAY, enum kind KIND>
__device__ __forceinline__ auto source_of(const struct plain<FAST> &f, const struct level_correction &c,
                                          const struct level_stencil &s, const struct seat &a)
{
    if constexpr (KIND == PLAIN) {
        return corrected_make<FAST, WAY>(f, c, a);
    } else {
        const struct corrected_open<FAST, KIND> q = {
            corrected_make<FAST, WAY_CONSTANT>(f, c, a), s, a.p.n > 0 || a.p.turn != NOWHERE
        };
        return q;
    }
}

#endif
