/* Computes the discrete curl, and takes the steps of conjugate gradients on it for the exact fractional
 * step. */
#include "../curl.h"

#include "../point/curl.h"
#include "check.cuh"
#include "queue.cuh"
#include "cg.cuh"
#include "tile.cuh"

/* Plain sweeps: each thread goes upwards in z and computes the three components of its column. Values that
 * neighbouring threads share come from the caches. */

enum { CURL_THREADS = PIECES_MOST * PIECE_THREADS };

/* three: the components of a field, passed by value because kernels cannot read the caller's arrays of
 * pointers. */
struct three {
    real *c[3];
};

static struct three three_of(real *const *a)
{
    struct three t = {{NULL, NULL, NULL}};
    for (int d = X; d <= Z && a != NULL; ++d) t.c[d] = a[d];
    return t;
}

/* edge: the component along D at the edges of a column, with the strides along D and the two directions after
 * it, and the spacings. */
template <int D> struct edge {
    static constexpr int E = (D + 1) % 3, F = (D + 2) % 3;

    static __device__ __forceinline__ ptrdiff_t stride(struct box b, int d)
    {
        return d == X ? 1 : d == Y ? b.sy : b.sz;
    }

    static __device__ __forceinline__ struct curl_spacings spacings(struct metrics m, int i, int j, int k)
    {
        if (D == X) return point_curl_spacings_x(m, i, j, k);
        if (D == Y) return point_curl_spacings_y(m, i, j, k);
        return point_curl_spacings_z(m, i, j, k);
    }

    static __device__ __forceinline__ real curl_curl(struct box b, struct curl_spacings s,
                                                     const struct three &p, ptrdiff_t o)
    {
        return point_curl_curl(p.c[D], p.c[E], p.c[F], o, stride(b, D), stride(b, E), stride(b, F), s);
    }

    static __device__ __forceinline__ real vorticity(struct box b, struct curl_spacings s,
                                                     const struct three &v, ptrdiff_t o)
    {
        return point_vorticity(v.c[E], v.c[F], o, stride(b, E), stride(b, F), s);
    }

    static __device__ __forceinline__ real face(struct box b, struct metrics m, const struct three &s, int i,
                                                int j, int k, ptrdiff_t o)
    {
        const real inverse[3] = {m.dxi_c[i], m.dyi_c[j], m.dzi_c[k]};
        return point_curl_face(s.c[E], s.c[F], o, stride(b, E), stride(b, F), inverse[E], inverse[F]);
    }
};

/* --- no sums --- */

template <int D>
__device__ __forceinline__ void velocity_point(struct box b, struct metrics m, const struct three &s,
                                               const struct three &base, const struct three &vel, int i,
                                               int j, int k, ptrdiff_t o)
{
    vel.c[D][o] = base.c[D][o] + edge<D>::face(b, m, s, i, j, k, o);
}

/* vel may be the same field as base, because both are read at the own point only. */
static __global__ void __launch_bounds__(TILE_MOST)
    velocity_kernel(struct box b, struct metrics m, int planes, const struct three s, const struct three base,
                    const struct three vel)
{
    const struct tile t = tile_free(b, planes);
    if (!t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        velocity_point<X>(b, m, s, base, vel, t.i, t.j, k, o);
        velocity_point<Y>(b, m, s, base, vel, t.i, t.j, k, o);
        velocity_point<Z>(b, m, s, base, vel, t.i, t.j, k, o);
    }
}

kol_status curl_velocity(struct box b, struct metrics m, real *const s[3], real *const base[3],
                         real *const vel[3])
{
    velocity_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, m, TILE_PLAIN.z, three_of(s), three_of(base), three_of(vel));
    CUDA_LAUNCHED("curl_velocity");
    return KOL_OK;
}

template <int D, bool BASE>
__device__ __forceinline__ void shift_point(struct box b, struct metrics m, real beta, const struct three &s,
                                            const struct three &base, const struct three &t, int i, int j,
                                            int k, ptrdiff_t o)
{
    const struct curl_spacings w = edge<D>::spacings(m, i, j, k);
    real sum = edge<D>::curl_curl(b, w, s, o);
    if (BASE) sum += 2 * edge<D>::vorticity(b, w, base, o);
    t.c[D][o] = s.c[D][o] + beta * sum;
}

template <bool BASE>
static __global__ void __launch_bounds__(TILE_MOST)
    shift_kernel(struct box b, struct metrics m, int planes, const struct cg_state *cg, real beta,
                 const struct three s, const struct three base, const struct three out)
{
    const struct tile t = tile_free(b, planes);
    if (cg_ended(cg) || !t.own) return;
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
        shift_point<X, BASE>(b, m, beta, s, base, out, t.i, t.j, k, o);
        shift_point<Y, BASE>(b, m, beta, s, base, out, t.i, t.j, k, o);
        shift_point<Z, BASE>(b, m, beta, s, base, out, t.i, t.j, k, o);
    }
}

kol_status curl_shift(struct box b, struct metrics m, const struct cg_state *cg, real beta, real *const s[3],
                      real *const *base, real *const t[3])
{
    auto kernel = base != NULL ? shift_kernel<true> : shift_kernel<false>;
    kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, m, TILE_PLAIN.z, cg, beta, three_of(s), three_of(base), three_of(t));
    CUDA_LAUNCHED("curl_shift");
    return KOL_OK;
}

static __global__ void __launch_bounds__(TILE_MOST)
    direction_kernel(struct box b, int planes, const struct cg_state *cg, const struct three z,
                     const struct three d)
{
    const struct tile t = tile_free(b, planes);
    if (cg_ended(cg) || !t.own) return;
    const real beta = cg_beta(cg);
    ptrdiff_t o = at(b, t.i, t.j, t.z0);
#pragma unroll 1
    for (int k = t.z0; k < t.z1; ++k, o += b.sz) {
#pragma unroll
        for (int c = X; c <= Z; ++c) d.c[c][o] = beta == 0 ? z.c[c][o] : z.c[c][o] + beta * d.c[c][o];
    }
}

kol_status curl_direction(struct box b, const struct cg_state *cg, real *const z[3], real *const d[3])
{
    direction_kernel<<<tile_grid(b, TILE_PLAIN), tile_threads(TILE_PLAIN), 0, queue_stream()>>>(
        b, TILE_PLAIN.z, cg, three_of(z), three_of(d));
    CUDA_LAUNCHED("curl_direction");
    return KOL_OK;
}

/* --- with sums --- */

template <int D>
__device__ __forceinline__ void
residual_point(struct box b, struct metrics m, const struct three &vel, const struct three &base,
               const struct three &t, const struct three &r, int i, int j, int k, ptrdiff_t o, double *part)
{
    const struct curl_spacings w = edge<D>::spacings(m, i, j, k);
    const real rate = (edge<D>::vorticity(b, w, vel, o) - edge<D>::vorticity(b, w, base, o)) -
                      edge<D>::curl_curl(b, w, t, o);
    const double size = point_curl_abs(rate);
    r.c[D][o] = w.volume * rate;
    part[0] += w.volume * size;
    part[1] = sum_larger(size, part[1]);
}

static __global__ void __launch_bounds__(CURL_THREADS)
    residual_kernel(struct box b, struct metrics m, struct blocks bl,
                    const __grid_constant__ struct march march, const struct three vel,
                    const struct three base, const struct three t, const struct three r)
{
    const struct tile c = tile_of(bl, march);
    ptrdiff_t o = at(b, c.own ? c.i : 0, c.own ? c.j : 0, c.z0);
    sum_march<1, 1>(bl, march, c, [&](int k, double *part) {
        if (!c.own) return;
        residual_point<X>(b, m, vel, base, t, r, c.i, c.j, k, o, part);
        residual_point<Y>(b, m, vel, base, t, r, c.i, c.j, k, o, part);
        residual_point<Z>(b, m, vel, base, t, r, c.i, c.j, k, o, part);
        o += b.sz;
    });
}

kol_status curl_residual(struct box b, struct metrics m, struct blocks bl, real *const vel[3],
                         real *const base[3], real *const t[3], real *const r[3])
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE);
    residual_kernel<<<march.grid, march.side * PIECE_THREADS, 0, queue_stream()>>>(
        b, m, bl, march, three_of(vel), three_of(base), three_of(t), three_of(r));
    CUDA_LAUNCHED("curl_residual");
    return KOL_OK;
}

template <int D>
__device__ __forceinline__ void apply_point(struct box b, struct metrics m, const struct three &t,
                                            const struct three &d, const struct three &q, int i, int j, int k,
                                            ptrdiff_t o, double *part)
{
    const struct curl_spacings w = edge<D>::spacings(m, i, j, k);
    const real value = w.volume * edge<D>::curl_curl(b, w, t, o);
    q.c[D][o] = value;
    part[0] += (double)value * d.c[D][o];
}

static __global__ void __launch_bounds__(CURL_THREADS)
    apply_kernel(struct box b, struct metrics m, struct blocks bl, const __grid_constant__ struct march march,
                 const struct cg_state *cg, const struct three t, const struct three d, const struct three q)
{
    if (cg_ended(cg)) return;
    const struct tile c = tile_of(bl, march);
    ptrdiff_t o = at(b, c.own ? c.i : 0, c.own ? c.j : 0, c.z0);
    sum_march<1, 0>(bl, march, c, [&](int k, double *part) {
        if (!c.own) return;
        apply_point<X>(b, m, t, d, q, c.i, c.j, k, o, part);
        apply_point<Y>(b, m, t, d, q, c.i, c.j, k, o, part);
        apply_point<Z>(b, m, t, d, q, c.i, c.j, k, o, part);
        o += b.sz;
    });
}

kol_status curl_apply(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                      real *const t[3], real *const d[3], real *const q[3])
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE);
    apply_kernel<<<march.grid, march.side * PIECE_THREADS, 0, queue_stream()>>>(
        b, m, bl, march, cg, three_of(t), three_of(d), three_of(q));
    CUDA_LAUNCHED("curl_apply");
    return KOL_OK;
}

template <int D>
__device__ __forceinline__ void jacobi_point(struct metrics m, real beta, const struct three &r,
                                             const struct three &z, int i, int j, int k, ptrdiff_t o,
                                             double *part)
{
    const struct curl_spacings w = edge<D>::spacings(m, i, j, k);
    const real rc = r.c[D][o], value = rc / point_curl_diagonal(w, beta);
    z.c[D][o] = value;
    part[0] += (double)value * rc;
    part[1] = sum_larger(point_curl_abs(rc) / w.volume, part[1]);
}

static __global__ void __launch_bounds__(CURL_THREADS)
    jacobi_kernel(struct box b, struct metrics m, struct blocks bl,
                  const __grid_constant__ struct march march, const struct cg_state *cg, real beta,
                  const struct three r, const struct three z)
{
    if (cg_ended(cg)) return;
    const struct tile c = tile_of(bl, march);
    ptrdiff_t o = at(b, c.own ? c.i : 0, c.own ? c.j : 0, c.z0);
    sum_march<1, 1>(bl, march, c, [&](int k, double *part) {
        if (!c.own) return;
        jacobi_point<X>(m, beta, r, z, c.i, c.j, k, o, part);
        jacobi_point<Y>(m, beta, r, z, c.i, c.j, k, o, part);
        jacobi_point<Z>(m, beta, r, z, c.i, c.j, k, o, part);
        o += b.sz;
    });
}

kol_status curl_jacobi(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg, real beta,
                       real *const r[3], real *const z[3])
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE);
    jacobi_kernel<<<march.grid, march.side * PIECE_THREADS, 0, queue_stream()>>>(b, m, bl, march, cg, beta,
                                                                                 three_of(r), three_of(z));
    CUDA_LAUNCHED("curl_jacobi");
    return KOL_OK;
}

static __global__ void __launch_bounds__(CURL_THREADS)
    dot_kernel(struct box b, struct blocks bl, const __grid_constant__ struct march march,
               const struct cg_state *cg, const struct three r, const struct three z)
{
    if (cg_ended(cg)) return;
    const struct tile c = tile_of(bl, march);
    ptrdiff_t o = at(b, c.own ? c.i : 0, c.own ? c.j : 0, c.z0);
    sum_march<1, 0>(bl, march, c, [&](int, double *part) {
        if (!c.own) return;
#pragma unroll
        for (int d = X; d <= Z; ++d) part[0] += (double)z.c[d][o] * r.c[d][o];
        o += b.sz;
    });
}

kol_status curl_dot(struct box b, struct blocks bl, const struct cg_state *cg, real *const r[3],
                    real *const z[3])
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE);
    dot_kernel<<<march.grid, march.side * PIECE_THREADS, 0, queue_stream()>>>(b, bl, march, cg, three_of(r),
                                                                              three_of(z));
    CUDA_LAUNCHED("curl_dot");
    return KOL_OK;
}

template <int D>
__device__ __forceinline__ void
update_point(struct metrics m, real alpha, const struct three &d, const struct three &q,
             const struct three &s, const struct three &r, int i, int j, int k, ptrdiff_t o, double *part)
{
    const struct curl_spacings w = edge<D>::spacings(m, i, j, k);
    const real left = r.c[D][o] - alpha * q.c[D][o];
    const double size = point_curl_abs(left);
    s.c[D][o] += alpha * d.c[D][o];
    r.c[D][o] = left;
    part[0] += size;
    part[1] = sum_larger(size / w.volume, part[1]);
}

static __global__ void __launch_bounds__(CURL_THREADS)
    update_kernel(struct box b, struct metrics m, struct blocks bl,
                  const __grid_constant__ struct march march, const struct cg_state *cg, const struct three d,
                  const struct three q, const struct three s, const struct three r)
{
    if (cg_ended(cg)) return;
    const real alpha = cg_alpha(cg);
    const struct tile c = tile_of(bl, march);
    ptrdiff_t o = at(b, c.own ? c.i : 0, c.own ? c.j : 0, c.z0);
    sum_march<1, 1>(bl, march, c, [&](int k, double *part) {
        if (!c.own) return;
        update_point<X>(m, alpha, d, q, s, r, c.i, c.j, k, o, part);
        update_point<Y>(m, alpha, d, q, s, r, c.i, c.j, k, o, part);
        update_point<Z>(m, alpha, d, q, s, r, c.i, c.j, k, o, part);
        o += b.sz;
    });
}

kol_status curl_update(struct box b, struct metrics m, struct blocks bl, const struct cg_state *cg,
                       real *const d[3], real *const q[3], real *const s[3], real *const r[3])
{
    const struct march march = march_make(bl, TUNE_DIVERGENCE);
    update_kernel<<<march.grid, march.side * PIECE_THREADS, 0, queue_stream()>>>(
        b, m, bl, march, cg, three_of(d), three_of(q), three_of(s), three_of(r));
    CUDA_LAUNCHED("curl_update");
    return KOL_OK;
}
