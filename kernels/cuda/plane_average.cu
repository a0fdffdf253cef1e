/* Adds up one sample over planes parallel to the walls. */
#include "../plane_average.h"
#include "../point/plane_average.h"
#include "../point/plane_scalar.h"
#include "check.cuh"
#include "queue.cuh"

enum { WARP = 32, WARPS = 4, FOLD_THREADS = 128, FOLD_MOST = 1 << 30 };
static_assert((int)AVG_COUNT == (int)WARP, "one lane is left with each sum");

int plane_average_levels(struct box b, int normal)
{
    return plane_average_cells(b, normal) + 1;
}

/* Reduction blocks along a direction, and their starts. */
struct along {
    int blocks;
    const int *start;
};

HD struct along blocks_along(struct blocks bl, int direction)
{
    struct along a;
    a.blocks = direction == X ? bl.nx : direction == Y ? bl.ny : bl.nz;
    a.start = direction == X ? bl.x : direction == Y ? bl.y : bl.z;
    return a;
}

ptrdiff_t plane_average_values(struct box b, struct blocks bl, int normal)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    return (ptrdiff_t)plane_average_levels(b, normal) * AVG_COUNT * blocks_along(bl, d.a).blocks *
           blocks_along(bl, d.b).blocks;
}

ptrdiff_t plane_average_scratch(struct box, struct blocks, int)
{
    return 0;
}

/* fold_sums: adds up the sums of the lanes of a warp. Lane n gets sum n. In each of five rounds a lane gives
 * its partner the half of the sums that it will not keep, so 31 exchanges do the work of 160. */
__device__ __forceinline__ double fold_sums(double (&sum)[AVG_COUNT], int lane)
{
#pragma unroll
    for (int half = WARP / 2; half > 0; half /= 2) {
        const bool upper = lane & half;
#pragma unroll
        for (int n = 0; n < half; ++n) {
            const double give = upper ? sum[n] : sum[n + half], keep = upper ? sum[n + half] : sum[n];
            sum[n] = keep + __shfl_xor_sync(0xffffffffu, give, half);
        }
    }
    return sum[0];
}

/* means, stresses, quarters: the sets of sums, each with the terms of a place. */
struct means {
    static __device__ __forceinline__ void terms(const struct plane_average_fields &q,
                                                 struct plane_average_frame d, struct metrics, int, int, int,
                                                 ptrdiff_t o, struct plane_average_spacings x,
                                                 struct plane_average_spacings y,
                                                 struct plane_average_spacings z, int centre, double *t)
    {
        point_plane_average(q, d, o, x, y, z, centre, t, 1);
    }
};
struct stresses {
    static __device__ __forceinline__ void terms(const struct plane_average_fields &q,
                                                 struct plane_average_frame d, struct metrics m, int ia,
                                                 int ib, int k, ptrdiff_t o, struct plane_average_spacings x,
                                                 struct plane_average_spacings y,
                                                 struct plane_average_spacings z, int centre, double *t)
    {
        point_stress(q, d, o, x, plane_average_spacings_make(m, d.a, ia + 1), y,
                     plane_average_spacings_make(m, d.b, ib + 1), z,
                     plane_average_spacings_make(m, d.n, k + 1), centre, t, 1);
    }
};
struct quarters {
    static __device__ __forceinline__ void terms(const struct plane_average_fields &q,
                                                 struct plane_average_frame d, struct metrics, int, int,
                                                 int k, ptrdiff_t o, struct plane_average_spacings x,
                                                 struct plane_average_spacings y,
                                                 struct plane_average_spacings, int, double *t)
    {
        point_quadrants(q, d, o, k, x, y, t, 1);
    }
};
struct scalar_means {
    static __device__ __forceinline__ void terms(const struct plane_average_fields &q,
                                                 struct plane_average_frame d, struct metrics, int, int, int,
                                                 ptrdiff_t o, struct plane_average_spacings x,
                                                 struct plane_average_spacings y,
                                                 struct plane_average_spacings z, int centre, double *t)
    {
        point_scalar_means(q, d, o, x, y, z, centre, t, 1);
    }
};
struct scalar_fluxes {
    static __device__ __forceinline__ void terms(const struct plane_average_fields &q,
                                                 struct plane_average_frame d, struct metrics m, int ia,
                                                 int ib, int k, ptrdiff_t o, struct plane_average_spacings x,
                                                 struct plane_average_spacings y,
                                                 struct plane_average_spacings z, int centre, double *t)
    {
        point_scalar_fluxes(q, d, o, x, plane_average_spacings_make(m, d.a, ia + 1), y,
                            plane_average_spacings_make(m, d.b, ib + 1), z,
                            plane_average_spacings_make(m, d.n, k + 1), centre, t, 1);
    }
};
static_assert((int)THETA_COUNT <= (int)AVG_COUNT && (int)FLUXES_COUNT <= (int)AVG_COUNT, "they fit");
static_assert((int)STRESS_COUNT == (int)AVG_COUNT && (int)QUADRANT_SUMS == (int)AVG_COUNT,
              "one shape of sums serves all");

/* planes_kernel: walls in y or z. Each warp adds up one reduction block of one level, with its lanes side by
 * side in x. The warps of a thread block take neighbouring levels, which share most of what they read. */
template <int NORMAL, class SET>
static __global__ void __launch_bounds__(WARP *WARPS)
    planes_kernel(struct box b, struct metrics m, struct blocks bl, const struct plane_average_fields q,
                  double *part)
{
    const struct plane_average_frame d = plane_average_frame_make(b, NORMAL);
    const struct along a = blocks_along(bl, d.a), e = blocks_along(bl, d.b);
    const int lane = (int)threadIdx.x % WARP, cells = plane_average_cells(b, NORMAL);
    const int level = (int)blockIdx.z * WARPS + (int)threadIdx.x / WARP;
    const int ba = (int)blockIdx.x, bb = (int)blockIdx.y;
    if (level > cells) return;
    const struct plane_average_spacings z = plane_average_spacings_make(m, d.n, level);
    double sum[AVG_COUNT];
#pragma unroll
    for (int n = 0; n < AVG_COUNT; ++n) sum[n] = 0;
#pragma unroll 1
    for (int ia = a.start[ba] + lane; ia < a.start[ba + 1]; ia += WARP) {
        const struct plane_average_spacings x = plane_average_spacings_make(m, d.a, ia);
        ptrdiff_t o = b.start + ia * d.sa + e.start[bb] * d.sb + level * d.sn;
#pragma unroll 1
        for (int ib = e.start[bb]; ib < e.start[bb + 1]; ++ib, o += d.sb) {
            double t[AVG_COUNT];
            SET::terms(q, d, m, ia, ib, level, o, x, plane_average_spacings_make(m, d.b, ib), z,
                       level < cells, t);
#pragma unroll
            for (int n = 0; n < AVG_COUNT; ++n) sum[n] += t[n];
        }
    }
    part[(((ptrdiff_t)level * AVG_COUNT + lane) * e.blocks + bb) * a.blocks + ba] = fold_sums(sum, lane);
}

/* levels_kernel: walls in x. Each lane adds up one reduction block of its own level. */
template <class SET>
static __global__ void __launch_bounds__(WARP)
    levels_kernel(struct box b, struct metrics m, struct blocks bl, const struct plane_average_fields q,
                  double *part)
{
    const struct plane_average_frame d = plane_average_frame_make(b, X);
    const int level = (int)(blockIdx.x * WARP + threadIdx.x), ba = (int)blockIdx.y, bb = (int)blockIdx.z;
    if (level > b.nx) return;
    const struct plane_average_spacings z = plane_average_spacings_make(m, X, level);
    double sum[AVG_COUNT];
#pragma unroll
    for (int n = 0; n < AVG_COUNT; ++n) sum[n] = 0;
#pragma unroll 1
    for (int ib = bl.z[bb]; ib < bl.z[bb + 1]; ++ib) {
        const struct plane_average_spacings y = plane_average_spacings_make(m, Z, ib);
#pragma unroll 1
        for (int ia = bl.y[ba]; ia < bl.y[ba + 1]; ++ia) {
            double t[AVG_COUNT];
            SET::terms(q, d, m, ia, ib, level, at(b, level, ia, ib), plane_average_spacings_make(m, Y, ia), y,
                       z, level < b.nx, t);
#pragma unroll
            for (int n = 0; n < AVG_COUNT; ++n) sum[n] += t[n];
        }
    }
#pragma unroll
    for (int n = 0; n < AVG_COUNT; ++n)
        part[(((ptrdiff_t)level * AVG_COUNT + n) * bl.nz + bb) * bl.ny + ba] = sum[n];
}

template <class SET>
static kol_status launch(struct box b, struct metrics m, struct blocks bl, struct plane_average_frame d,
                         struct plane_average_fields q, double *part)
{
    const unsigned na = (unsigned)blocks_along(bl, d.a).blocks, nb = (unsigned)blocks_along(bl, d.b).blocks;
    const int levels = plane_average_levels(b, d.n);
    if (d.n == X) {
        levels_kernel<SET><<<dim3((unsigned)((levels + WARP - 1) / WARP), na, nb), WARP, 0, queue_stream()>>>(
            b, m, bl, q, part);
    } else {
        auto kernel = d.n == Y ? planes_kernel<Y, SET> : planes_kernel<Z, SET>;
        kernel<<<dim3(na, nb, (unsigned)((levels + WARPS - 1) / WARPS)), WARP * WARPS, 0, queue_stream()>>>(
            b, m, bl, q, part);
    }
    CUDA_LAUNCHED("average_planes");
    return KOL_OK;
}

kol_status plane_average_planes(struct box b, struct metrics m, struct blocks bl, int normal,
                                real *const vel[3], const real *p, double *part, double *)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    return launch<means>(b, m, bl, d, plane_average_fields_make(d, vel, p, vel, vel), part);
}

kol_status plane_average_stresses(struct box b, struct metrics m, struct blocks bl, int normal,
                                  real *const vel[3], const real *p, real *const convection[3],
                                  real *const momentum[3], double *part, double *)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    return launch<stresses>(b, m, bl, d, plane_average_fields_make(d, vel, p, convection, momentum), part);
}

kol_status plane_average_quadrants(struct box b, struct metrics m, struct blocks bl, int normal,
                                   real *const vel[3], const struct quadrants *quadrants, double *part,
                                   double *)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    struct plane_average_fields q = plane_average_fields_make(d, vel, vel[d.n], vel, vel);
    q.quadrants = *quadrants;
    return launch<quarters>(b, m, bl, d, q, part);
}

kol_status plane_scalar_means(struct box b, struct metrics m, struct blocks bl, int normal,
                              real *const vel[3], const struct plane_scalar *s, double *part, double *)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    return launch<scalar_means>(b, m, bl, d, plane_scalar_fields(d, vel, NULL, s), part);
}

kol_status plane_scalar_fluxes(struct box b, struct metrics m, struct blocks bl, int normal,
                               real *const vel[3], const real *p, const struct plane_scalar *s, double *part,
                               double *)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    return launch<scalar_fluxes>(b, m, bl, d, plane_scalar_fields(d, vel, p, s), part);
}

static __global__ void __launch_bounds__(FOLD_THREADS)
    fold_kernel(ptrdiff_t values, int na, int nb, int both, const double *part, double *out)
{
    const ptrdiff_t n = (ptrdiff_t)blockIdx.x * FOLD_THREADS + threadIdx.x;
    const int rows = both ? nb : 1;
    if (n >= (both ? values : values * nb)) return;
    const double *from = part + n * rows * na;
    double all = 0;
    for (int bb = 0; bb < rows; ++bb, from += na) {
        double row = from[0];
        for (int ba = 1; ba < na; ++ba) row += from[ba];
        all = bb == 0 ? row : all + row;
    }
    out[n] = all;
}

kol_status plane_average_fold(ptrdiff_t values, int na, int nb, int both, const double *part, double *out)
{
    const ptrdiff_t sums = both ? values : values * nb;
    if (sums > FOLD_MOST) RAISE(KOL_ERR_INTERNAL, "average_fold: no launch takes %td sums at a time", sums);
    fold_kernel<<<(unsigned)((sums + FOLD_THREADS - 1) / FOLD_THREADS), FOLD_THREADS, 0, queue_stream()>>>(
        values, na, nb, both, part, out);
    CUDA_LAUNCHED("average_fold");
    return KOL_OK;
}
