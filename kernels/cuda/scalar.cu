/* Computes the transport of scalars, the layer beyond faces, buoyancy, and the sums of a record. */
#include "../scalar.h"
#include "../point/cg.h"
#include "../point/scalar.h"
#include "check.cuh"
#include "queue.cuh"
#include "tile.cuh"

/* scalar_arrays: the arrays of scalar_transport(), passed by value because kernels cannot read the caller's
 * arrays of pointers. */
struct scalar_arrays {
    const real *u, *v, *w;
    const real *theta[SCALARS_KERNEL], *base[SCALARS_KERNEL];
    real *old[SCALARS_KERNEL], *out[SCALARS_KERNEL];
};

enum history { NOT_KEPT, KEPT, USED_AND_KEPT };

/* Threads of a tile of transport_kernel. */
enum { TRANSPORT_THREADS = 256 };
static const struct shape TILE_TRANSPORT = {64, 4, 8};

template <bool STREAM> static __device__ __forceinline__ void put(real *place, real value)
{
    if (STREAM) __stcs(place, value);
    else *place = value;
}

/* transport_at: scalars n to n + TOGETHER - 1 at the cell with index o. All of them are loaded before one is
 * stored. STREAM: nobody reads the results before the caches have let them go, so they leave room for the
 * values that are read again. */
template <int HISTORY, bool MASKED, int TOGETHER, bool STREAM>
static __device__ __forceinline__ void
transport_at(struct box b, const struct scalar_stage &s, const struct scalar_arrays &a, int n, ptrdiff_t o,
             struct scalar_winds f, struct scalar_axis x, struct scalar_axis y, struct scalar_axis z)
{
    struct scalar_star q[TOGETHER];
    real base[TOGETHER], old[TOGETHER];
#pragma unroll
    for (int l = 0; l < TOGETHER; ++l) {
        q[l] = point_scalar_star(b, a.theta[n + l], o);
        base[l] = a.base[n + l] == a.theta[n + l] ? q[l].c : a.base[n + l][o];
        old[l] = HISTORY == USED_AND_KEPT ? a.old[n + l][o] : 0;
    }
#pragma unroll
    for (int l = 0; l < TOGETHER; ++l) {
        const real rhs = MASKED ? point_scalar_masked(s.open[o], q[l], f, x, y, z, s.term[n + l])
                                : point_scalar(q[l], f, x, y, z, s.term[n + l]);
        real change = s.a * rhs;
        if (HISTORY == USED_AND_KEPT) change += s.a_old * old[l];
        put<STREAM>(a.out[n + l] + o, base[l] + change);
        if (HISTORY != NOT_KEPT) put<STREAM>(a.old[n + l] + o, rhs);
    }
}

/* The velocities of the cell are read once for all scalars. Neighbours of a scalar come from the caches,
 * where the threads beside and the plane before have put them. With several scalars two are on their way at
 * a time: that takes more registers, so fewer tiles are on a multiprocessor, and these have more of its
 * cache (docs/performance/README.md, "Scalars"). */
template <int HISTORY, bool MASKED, bool SEVERAL>
static __global__ void __launch_bounds__(TRANSPORT_THREADS, SEVERAL ? 2 : 3)
    transport_kernel(struct box b, struct metrics m, const __grid_constant__ struct tiles tiles,
                     const __grid_constant__ struct scalar_stage s,
                     const __grid_constant__ struct scalar_arrays a)
{
    const struct tile t = tile_listed(b, tiles);
    if (!t.own) return;
    const struct scalar_axis x = point_scalar_axis(m.dxi_c, m.dxi_f, t.i),
                             y = point_scalar_axis(m.dyi_c, m.dyi_f, t.j);
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const struct scalar_axis z = point_scalar_axis(m.dzi_c, m.dzi_f, k);
        const struct scalar_winds f = point_scalar_winds(b, a.u, a.v, a.w, o);
        int n = 0;
        if (SEVERAL)
#pragma unroll 1
            for (; n + 1 < s.count; n += 2) transport_at<HISTORY, MASKED, 2, true>(b, s, a, n, o, f, x, y, z);
        if (n < s.count) transport_at<HISTORY, MASKED, 1, SEVERAL>(b, s, a, n, o, f, x, y, z);
    }
}

template <bool MASKED, bool SEVERAL> static auto transport_for(const struct scalar_stage *s, bool kept)
{
    return !kept           ? transport_kernel<NOT_KEPT, MASKED, SEVERAL>
           : s->a_old == 0 ? transport_kernel<KEPT, MASKED, SEVERAL>
                           : transport_kernel<USED_AND_KEPT, MASKED, SEVERAL>;
}

static struct scalar_arrays arrays_of(int count, real *const vel[3], real *const *theta, real *const *base,
                                      real *const *old, real *const *out)
{
    struct scalar_arrays a = {};
    a.u = vel[X];
    a.v = vel[Y];
    a.w = vel[Z];
    for (int n = 0; n < count; ++n) {
        a.theta[n] = theta[n];
        a.base[n] = base[n];
        a.old[n] = old != NULL ? old[n] : NULL;
        a.out[n] = out[n];
    }
    return a;
}

kol_status scalar_transport(struct box b, struct metrics m, struct cells cells, const struct scalar_stage *s,
                            real *const vel[3], real *const *theta, real *const *base, real *const *old,
                            real *const *out)
{
    if (s->count < 1 || s->count > SCALARS_KERNEL) RAISE(KOL_ERR_INTERNAL, "%d scalars", s->count);
    const struct tiles tiles = tiles_make(b, TILE_TRANSPORT, cells);
    const struct scalar_arrays a = arrays_of(s->count, vel, theta, base, old, out);
    const bool kept = old != NULL;
    auto kernel = s->count > 1 ? transport_for<false, true>(s, kept) : transport_for<false, false>(s, kept);
    if (s->open != NULL)
        kernel = s->count > 1 ? transport_for<true, true>(s, kept) : transport_for<true, false>(s, kept);
    if (tiles.count == 0) return KOL_OK;
    kernel<<<(unsigned)tiles.count, tile_threads(TILE_TRANSPORT), 0, queue_stream()>>>(b, m, tiles, *s, a);
    CUDA_LAUNCHED("scalar_transport");
    return KOL_OK;
}

/* Like transport_kernel. */
static __global__ void __launch_bounds__(TRANSPORT_THREADS)
    limited_kernel(struct box b, struct metrics m, int planes, unsigned faces, int kept,
                   const __grid_constant__ struct scalar_stage s,
                   const __grid_constant__ struct scalar_arrays a)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const struct scalar_winds f = point_scalar_winds(b, a.u, a.v, a.w, o);
#pragma unroll 1
        for (int n = 0; n < s.count; ++n) {
            const real rhs = point_scalar_rhs_limited(b, m, faces, a.theta[n], f, s.term[n], t.i, t.j, k);
            real change = s.a * rhs;
            if (kept && s.a_old != 0) change += s.a_old * a.old[n][o];
            a.out[n][o] = a.base[n][o] + change;
            if (kept) a.old[n][o] = rhs;
        }
    }
}

kol_status scalar_transport_limited(struct box b, struct metrics m, unsigned faces,
                                    const struct scalar_stage *s, real *const vel[3], real *const *theta,
                                    real *const *base, real *const *old, real *const *out)
{
    if (s->count < 1 || s->count > SCALARS_KERNEL) RAISE(KOL_ERR_INTERNAL, "%d scalars", s->count);
    limited_kernel<<<tile_grid(b, TILE_TRANSPORT), tile_threads(TILE_TRANSPORT), 0, queue_stream()>>>(
        b, m, TILE_TRANSPORT.z, faces, old != NULL, *s, arrays_of(s->count, vel, theta, base, old, out));
    CUDA_LAUNCHED("scalar_transport_limited");
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    loss_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                unsigned faces, const real *KOL_RESTRICT u, const real *KOL_RESTRICT v,
                const real *KOL_RESTRICT w, const real *KOL_RESTRICT theta)
{
    const struct tile t = tile_of(bl, march);
    sum_march<1, 0>(bl, march, t, [&](int k, double *part) {
        if (t.own) part[0] += point_scalar_loss(b, m, faces, u, v, w, theta, t.i, t.j, k);
    });
}

kol_status scalar_limiter_loss(struct box b, struct metrics m, struct blocks bl, unsigned faces,
                               real *const vel[3], const real *theta)
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "scalar_limiter_loss: no launch has %d pieces side by side", march.side);
    loss_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, faces, vel[X], vel[Y],
                                                                  vel[Z], theta);
    CUDA_LAUNCHED("scalar_limiter_loss");
    return KOL_OK;
}

/* scalar_fields: the arrays of scalars, by value. */
struct scalar_fields {
    real *of[SCALARS_KERNEL];
};

static struct scalar_fields fields_of(int count, real *const *theta)
{
    struct scalar_fields f = {};
    for (int n = 0; n < count; ++n) f.of[n] = theta[n];
    return f;
}

enum { FILL_X = 32, FILL_Y = 8, FILL_ROWS_MOST = 1024 };

/* blockIdx.z: the face. */
static __global__ void __launch_bounds__(FILL_X *FILL_Y)
    fill_kernel(struct box b, const __grid_constant__ struct scalar_faces w,
                const __grid_constant__ struct scalar_fields theta)
{
    const int f = (int)blockIdx.z, i = (int)(blockIdx.x * FILL_X + threadIdx.x);
    if (!(w.faces >> f & 1u)) return;
    const struct wall_row r = wall_row_make(b, f);
    if (i >= r.n[0]) return;
    for (int j = (int)(blockIdx.y * FILL_Y + threadIdx.y); j < r.n[1]; j += (int)(gridDim.y * FILL_Y))
        for (int n = 0; n < w.count; ++n) point_scalar_beyond(b, &w, r, f, n, i, j, theta.of[n]);
}

kol_status scalar_fill(struct box b, const struct scalar_faces *w, real *const *theta)
{
    const int wide = b.nx > b.ny ? b.nx : b.ny, high = b.ny > b.nz ? b.ny : b.nz;
    const int rows = (high + FILL_Y - 1) / FILL_Y;
    if (w->faces == 0 || w->count == 0) return KOL_OK;
    const dim3 grid((unsigned)((wide + FILL_X - 1) / FILL_X),
                    (unsigned)(rows < FILL_ROWS_MOST ? rows : FILL_ROWS_MOST), FACES);
    fill_kernel<<<grid, dim3(FILL_X, FILL_Y), 0, queue_stream()>>>(b, *w, fields_of(w->count, theta));
    CUDA_LAUNCHED("scalar_fill");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_MOST)
    lift_kernel(struct box b, const __grid_constant__ struct scalar_lift l, int planes, int d,
                const __grid_constant__ struct scalar_fields theta, real *vel, real *old)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        const real lift = point_scalar_lift(b, &l, theta.of, d, t.i, t.j, k);
        vel[o] += l.a * lift;
        if (old != NULL) old[o] += lift;
    }
}

kol_status scalar_buoyancy(struct box b, const struct scalar_lift *l, real *const *theta, real *const vel[3],
                           real *const old[3])
{
    for (int d = 0; d < 3; ++d) {
        if (!point_scalar_lifts(l, d)) continue;
        lift_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
            b, *l, TILE_PLAIN.z, d, fields_of(l->count, theta), vel[d], old != NULL ? old[d] : NULL);
        CUDA_LAUNCHED("scalar_buoyancy");
    }
    return KOL_OK;
}

static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    work_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                const __grid_constant__ struct scalar_lift l,
                const __grid_constant__ struct scalar_fields theta, const real *KOL_RESTRICT u,
                const real *KOL_RESTRICT v, const real *KOL_RESTRICT w)
{
    const struct tile t = tile_of(bl, march);
    sum_march<1, 0>(bl, march, t, [&](int k, double *part) {
        if (t.own) part[0] += point_scalar_work(b, m, &l, theta.of, u, v, w, t.i, t.j, k);
    });
}

kol_status scalar_buoyancy_work(struct box b, struct metrics m, struct blocks bl, const struct scalar_lift *l,
                                real *const *theta, real *const vel[3])
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "scalar_buoyancy_work: no launch has %d pieces side by side", march.side);
    work_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(
        b, m, bl, march, *l, fields_of(l->count, theta), vel[X], vel[Y], vel[Z]);
    CUDA_LAUNCHED("scalar_buoyancy_work");
    return KOL_OK;
}

/* Neighbours are read from the cache again, because the terms take more time than the loads. */
static __global__ void __launch_bounds__(PIECE_THREADS, 2)
    record_kernel(struct box b, struct metrics m, struct blocks bl,
                  const __grid_constant__ struct march march, const unsigned char *open,
                  const unsigned char *live, double mean, const real *KOL_RESTRICT u,
                  const real *KOL_RESTRICT v, const real *KOL_RESTRICT w, const real *KOL_RESTRICT theta)
{
    const struct tile t = tile_of(bl, march);
    sum_march<SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS>(bl, march, t, [&](int k, double *part) {
        if (!t.own) return;
        const struct scalar_numbers n =
            point_scalar_numbers(b, m, open, live, mean, u, v, w, theta, t.i, t.j, k);
#pragma unroll
        for (int s = 0; s < SCALAR_SUMS; ++s) part[s] += n.term[s];
        part[SCALAR_ABOVE] = n.above > part[SCALAR_ABOVE] ? n.above : part[SCALAR_ABOVE];
        part[SCALAR_BELOW] = n.below > part[SCALAR_BELOW] ? n.below : part[SCALAR_BELOW];
    });
}

kol_status scalar_record(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                         const unsigned char *live, double mean, real *const vel[3], const real *theta)
{
    const struct march march = march_make(bl, TUNE_MONITOR);
    if (march.side > 1)
        RAISE(KOL_ERR_INTERNAL, "scalar_record: no launch has %d pieces side by side", march.side);
    record_kernel<<<march.grid, PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, open, live, mean, vel[X],
                                                                    vel[Y], vel[Z], theta);
    CUDA_LAUNCHED("scalar_record");
    return KOL_OK;
}

enum { FLUX_THREADS = 128 };

/* Each thread takes one piece of a row: x counts rows, y blocks. */
static __global__ void __launch_bounds__(FLUX_THREADS)
    flux_kernel(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                struct wall_row r, real kappa, const real *vel, const real *theta, double *rows)
{
    const int j = (int)(blockIdx.x * FLUX_THREADS + threadIdx.x), block = (int)blockIdx.y;
    if (j < r.n[1])
        rows[(ptrdiff_t)j * gridDim.y + block] =
            point_scalar_face_flux(m, bl, open, r, b, kappa, vel, theta, block, j);
}

kol_status scalar_face_flux(struct box b, struct metrics m, struct blocks bl, const unsigned char *open,
                            int face, real kappa, const real *vel, const real *theta, double *rows)
{
    const struct wall_row r = wall_row_make(b, face);
    const dim3 grid((unsigned)((r.n[1] + FLUX_THREADS - 1) / FLUX_THREADS),
                    (unsigned)(r.a == X ? bl.nx : bl.ny));
    flux_kernel<<<grid, FLUX_THREADS, 0, queue_stream()>>>(b, m, bl, open, r, kappa, vel, theta, rows);
    CUDA_LAUNCHED("scalar_face_flux");
    return KOL_OK;
}
