/* The last correction of a step, with the sums of its limits. Each thread goes upwards through its column, in
 * the order of the sums, and writes to other arrays than it reads. It corrects the velocity on the high faces
 * of its cells once more, by the same operations as their owners: multiplications and additions of this file
 * are not fused (Makefile). */
#include "../correct_limits.h"
#include "../point/body.h"
#include "../point/laplace.h"
#include "../point/update.h"
#include "check.cuh"
#include "limits.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* source: phi at a place of its box. FIELD: d. ONE: a d. TWO: a d + c x. */
enum terms { FIELD, ONE, TWO };
template <class T> struct source {
    struct box box;
    unsigned around; /* as in struct cells */
    real a, c;
    const T *d, *x;
};

/* What a cell reads besides the velocity on its lower face in z: velocities and the old pressure; and phi at
 * its neighbours, but for the one below. */
enum { READ_UL, READ_UH, READ_VL, READ_VH, READ_WH, READ_P, READ_VALUES };
enum { PHI_XL, PHI_XH, PHI_YL, PHI_YH, PHI_ZH, PHI_VALUES };
enum { READ_SLOTS = 3 };

/* links: distances in memory from a value of phi to its neighbours. Across a wall the gradient is multiplied
 * by 0; the own value stands for the one beyond. */
struct links {
    int to[PHI_ZH];
};

__device__ __forceinline__ int link(int i, int step, int n, unsigned around, int d, real inverse)
{
    const int next = i + step;
    if (inverse == 0) return 0;
    if ((next >= 0 && next < n) || !(around >> (2 * d) & 1u)) return step;
    return next < 0 ? n - 1 : 1 - n;
}

template <enum terms TERMS, class T>
__device__ __forceinline__ real phi_of(const struct source<T> &f, T d, T x)
{
    if (TERMS == FIELD) return (real)d;
    const real one = f.a * (real)d;
    return TERMS == TWO ? one + f.c * (real)x : one;
}

template <enum terms TERMS, class T>
__device__ __forceinline__ real phi_at(const struct source<T> &f, ptrdiff_t o)
{
    return phi_of<TERMS>(f, f.d[o], TERMS == TWO ? f.x[o] : (T)0);
}

/* walk: a thread's way through the planes: its places in the fields and in phi, and the number of values of
 * phi. */
template <enum terms TERMS, class T> struct walk {
    enum { PHIS = PHI_VALUES * (TERMS == TWO ? 2 : 1) };
    ptrdiff_t o, l;
    struct links links;
};

/* walk_from: the addresses of what plane k reads, which is `ahead` of the current one. */
template <enum terms TERMS, class T>
__device__ __forceinline__ void
walk_from(const struct last_correction &a, const struct source<T> &f, const struct walk<TERMS, T> &w,
          int ahead, int k, const real *(&read)[READ_VALUES], const T *(&phi)[walk<TERMS, T>::PHIS])
{
    const ptrdiff_t o = w.o + ahead * a.b.sz, l = w.l + ahead * f.box.sz;
    read[READ_UL] = a.from[X] + o;
    read[READ_UH] = a.from[X] + o + 1;
    read[READ_VL] = a.from[Y] + o;
    read[READ_VH] = a.from[Y] + o + a.b.sy;
    read[READ_WH] = a.from[Z] + o + a.b.sz;
    read[READ_P] = a.p_old + o;
#pragma unroll
    for (int n = 0; n < PHI_VALUES; ++n) {
        const ptrdiff_t q =
            n == PHI_ZH ? link(k, 1, a.b.nz, f.around, Z, a.s.gz[k + 1]) * f.box.sz : w.links.to[n];
        phi[n] = f.d + l + q;
        if (TERMS == TWO) phi[PHI_VALUES + n] = f.x + l + q;
    }
}

/* column: what a thread keeps from plane to plane: the corrected velocity on the lower face in z, phi in the
 * cell and below it, the mask of the cell; and what does not change. */
struct column {
    struct lap_axis x, y;
    struct monitor_spacings sx, sy;
    real wl, own, below;
    unsigned char open;
};

/* corrected: returns the corrected velocity on face f of a cell. Closed faces keep their velocity. */
template <bool MASKED>
__device__ __forceinline__ real corrected(unsigned char open, int f, real u, real shift, real dts, real high,
                                          real low, real g)
{
    const real out = point_correct(u + shift, dts, high, low, g);
    return !MASKED || (open >> f & 1) ? out : u;
}

/* above: the mask of the cell above. */
template <enum terms TERMS, bool DIFFUSED, bool MASKED, class T>
__device__ __forceinline__ void correct_cell(const struct last_correction &a, const struct source<T> &f,
                                             int k, ptrdiff_t o, const real (&v)[READ_VALUES],
                                             const T (&phi)[walk<TERMS, T>::PHIS], unsigned char above,
                                             struct column &c, double *part)
{
    real next[PHI_VALUES];
#pragma unroll
    for (int n = 0; n < PHI_VALUES; ++n)
        next[n] = phi_of<TERMS>(f, phi[n], TERMS == TWO ? phi[PHI_VALUES + n] : (T)0);
    const real dts = a.c.dts, own = c.own, u_shift = point_shift(a.c.shift[X], a.c.profile, k),
               v_shift = point_shift(a.c.shift[Y], a.c.profile, k);
    const unsigned char open = c.open;
    const real ul = corrected<MASKED>(open, FACE_X_LOW, v[READ_UL], u_shift, dts, own, next[PHI_XL], c.x.gl),
               uh = corrected<MASKED>(open, FACE_X_HIGH, v[READ_UH], u_shift, dts, next[PHI_XH], own, c.x.gh),
               vl = corrected<MASKED>(open, FACE_Y_LOW, v[READ_VL], v_shift, dts, own, next[PHI_YL], c.y.gl),
               vh = corrected<MASKED>(open, FACE_Y_HIGH, v[READ_VH], v_shift, dts, next[PHI_YH], own, c.y.gh),
               wh = corrected<MASKED>(open, FACE_Z_HIGH, v[READ_WH], a.c.shift[Z], dts, next[PHI_ZH], own,
                                      a.s.gz[k + 1]);
    a.to[X][o] = ul;
    a.to[Y][o] = vl;
    a.to[Z][o] = c.wl;
    if (DIFFUSED) {
        const struct lap_coef coef =
            point_lap_coef_of(a.s.scale, a.s.shift, c.x, c.y, point_lap_axis(a.s.wz, a.s.gz, k));
        const real minus_lap = point_lap_apply(coef, 0, own, next[PHI_XL], next[PHI_XH], next[PHI_YL],
                                               next[PHI_YH], c.below, next[PHI_ZH]);
        a.p[o] = point_pressure(coef, v[READ_P], own, a.c.mean, a.c.factor, minus_lap);
    } else {
        a.p[o] = !MASKED || open != 0 ? v[READ_P] + (own - a.c.mean) : 0;
    }
    limits_add(ul, uh, vl, vh, c.wl, wh, c.sx, c.sy, point_monitor_z(a.m, k), part);
    c.wl = wh;
    c.below = own;
    c.own = next[PHI_ZH];
    c.open = above;
}

/* Begins a column at plane k. */
template <enum terms TERMS, bool MASKED, class T>
__device__ __forceinline__ struct column column_begin(const struct last_correction &a,
                                                      const struct source<T> &f, int i, int j, int k,
                                                      struct walk<TERMS, T> &w)
{
    struct column c;
    c.x = point_lap_axis(a.s.wx, a.s.gx, i);
    c.y = point_lap_axis(a.s.wy, a.s.gy, j);
    c.sx = point_monitor_x(a.m, i);
    c.sy = point_monitor_y(a.m, j);
    w.o = at(a.b, i, j, k);
    w.l = at(f.box, i, j, k);
    w.links.to[PHI_XL] = link(i, -1, a.b.nx, f.around, X, c.x.gl);
    w.links.to[PHI_XH] = link(i, 1, a.b.nx, f.around, X, c.x.gh);
    w.links.to[PHI_YL] = link(j, -1, a.b.ny, f.around, Y, c.y.gl) * (int)f.box.sy;
    w.links.to[PHI_YH] = link(j, 1, a.b.ny, f.around, Y, c.y.gh) * (int)f.box.sy;
    c.own = phi_at<TERMS>(f, w.l);
    c.below = phi_at<TERMS>(f, w.l + link(k, -1, a.b.nz, f.around, Z, a.s.gz[k]) * f.box.sz);
    c.open = MASKED ? a.s.open[w.o] : 0;
    c.wl = corrected<MASKED>(c.open, FACE_Z_LOW, a.from[Z][w.o], a.c.shift[Z], a.c.dts, c.own, c.below,
                             a.s.gz[k]);
    return c;
}

/* AHEAD: what a plane reads is copied to shared memory while the thread works on planes below. MASKED: closed
 * faces of a.s.open keep their velocity, and p is 0 in dead cells. */
template <enum terms TERMS, bool DIFFUSED, bool AHEAD, bool MASKED, class T>
static __global__ void __launch_bounds__(PIECE_THREADS, DIFFUSED ? 2 : 3)
    correct_limits_kernel(const __grid_constant__ struct last_correction a,
                          const __grid_constant__ struct march march,
                          const __grid_constant__ struct source<T> f)
{
    typedef struct walk<TERMS, T> Walk;
    extern __shared__ real memory[];
    const struct tile t = tile_of(a.blocks, march);
    struct stock<READ_VALUES, READ_SLOTS> read;
    struct stock<Walk::PHIS, READ_SLOTS, T> phi;
    Walk w;
    struct column c = column_begin<TERMS, MASKED>(a, f, t.own ? t.i : 0, t.own ? t.j : 0, t.z0, w);
    stock_begin(read, memory);
    stock_begin(phi, (T *)(memory + READ_VALUES * READ_SLOTS * PIECE_THREADS));
    const auto fetch = [&](int ahead, int k) {
        const real *read_from[READ_VALUES];
        const T *phi_from[Walk::PHIS];
        if (t.own && k < t.z1) {
            walk_from<TERMS>(a, f, w, ahead, k, read_from, phi_from);
            stock_copy(read, ahead, read_from);
            stock_copy(phi, ahead, phi_from);
        }
        __pipeline_commit();
    };
    for (int n = 0; AHEAD && n < READ_SLOTS - 1; ++n) fetch(n, t.z0 + n);
    sum_march<LIM_SUMS, LIM_COUNT - LIM_SUMS>(a.blocks, march, t, [&](int k, double *part) {
        if (!t.own) return;
        const unsigned char above = MASKED ? a.s.open[w.o + a.b.sz] : 0;
        real value[READ_VALUES];
        T neighbour[Walk::PHIS];
        if (AHEAD) {
            fetch(READ_SLOTS - 1, k + READ_SLOTS - 1);
            stock_take(read, value);
            stock_read(phi, neighbour);
        } else {
            const real *read_from[READ_VALUES];
            const T *phi_from[Walk::PHIS];
            walk_from<TERMS>(a, f, w, 0, k, read_from, phi_from);
#pragma unroll
            for (int n = 0; n < READ_VALUES; ++n) value[n] = *read_from[n];
#pragma unroll
            for (int n = 0; n < Walk::PHIS; ++n) neighbour[n] = *phi_from[n];
        }
        correct_cell<TERMS, DIFFUSED, MASKED>(a, f, k, w.o, value, neighbour, above, c, part);
        w.o += a.b.sz;
        w.l += f.box.sz;
    });
}

template <enum terms TERMS, bool DIFFUSED, bool AHEAD, bool MASKED, class T>
static kol_status launch(const struct last_correction &a, const struct march &march,
                         const struct source<T> &f)
{
    const auto kernel = correct_limits_kernel<TERMS, DIFFUSED, AHEAD, MASKED, T>;
    const size_t bytes = AHEAD ? stock_bytes<READ_VALUES, READ_SLOTS>(PIECE_THREADS) +
                                     stock_bytes<walk<TERMS, T>::PHIS, READ_SLOTS, T>(PIECE_THREADS)
                               : 0;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    kernel<<<march.grid, PIECE_THREADS, bytes, queue_stream()>>>(a, march, f);
    CUDA_LAUNCHED("project_correct_limits");
    return KOL_OK;
}

/* Launches in the shape in use. */
template <enum terms TERMS, bool DIFFUSED, bool MASKED, class T>
static kol_status correct(const struct last_correction &a, const struct source<T> &f)
{
    const bool ahead = shape_chosen(TUNE_CORRECT_LIMITS).x > 0;
    const struct march march = march_make(a.blocks, TUNE_CORRECT_LIMITS);
    if (a.c.waves.row != NULL || (a.s.open != NULL && !MASKED))
        RAISE(KOL_ERR_INTERNAL, "project_correct_limits: not with waves, nor with bodies but for sums");
    if (march.side > 1 || march.wide > 1)
        RAISE(KOL_ERR_INTERNAL, "project_correct_limits: no launch has %d x %d pieces", march.wide,
              march.side);
    return ahead ? launch<TERMS, DIFFUSED, true, MASKED>(a, march, f)
                 : launch<TERMS, DIFFUSED, false, MASKED>(a, march, f);
}

kol_status project_correct_limits(const struct last_correction *a, const real *phi)
{
    const struct source<real> f = {
        a->b, 0, 1, 0, phi, NULL
    };
    return a->c.factor != 0 ? correct<FIELD, true, false>(*a, f) : correct<FIELD, false, false>(*a, f);
}

kol_status project_correct_limits_packed(const struct last_correction *a, real scale, int ring_z,
                                         const float *phi)
{
    const unsigned around = 1u << FACE_X_LOW | 1u << FACE_Y_LOW | (ring_z ? 1u << FACE_Z_LOW : 0);
    const struct source<float> f = {
        packed_box(a->b), around, scale, 0, phi, NULL
    };
    return a->c.factor != 0 ? correct<ONE, true, false>(*a, f) : correct<ONE, false, false>(*a, f);
}

kol_status project_correct_limits_single(const struct last_correction *a, struct level_sum phi)
{
    const struct source<level_real> f = {
        phi.box, phi.around, (real)phi.a, (real)phi.c, phi.d, phi.x
    };
    if (a->c.factor != 0)
        RAISE(KOL_ERR_INTERNAL, "project_correct_limits_single: not with implicit diffusion");
    if (a->s.open != NULL)
        return phi.x != NULL ? correct<TWO, false, true>(*a, f) : correct<ONE, false, true>(*a, f);
    return phi.x != NULL ? correct<TWO, false, false>(*a, f) : correct<ONE, false, false>(*a, f);
}
