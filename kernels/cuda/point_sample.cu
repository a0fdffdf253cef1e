/* Takes samples of the flow at cell centres and at single points, for slices, boxes and probes. */
#include "../point_sample.h"
#include "../point/point_sample.h"
#include "check.cuh"
#include "queue.cuh"

enum { SAMPLE_THREADS = 256 };

static unsigned sample_grid(ptrdiff_t threads)
{
    return (unsigned)((threads + SAMPLE_THREADS - 1) / SAMPLE_THREADS);
}

/* Each thread takes one cell. Threads are numbered side by side in x, then y, then z. */
template <enum point_sample_quantity Q>
static __global__ void __launch_bounds__(SAMPLE_THREADS)
    cells_kernel(struct box b, struct metrics m, struct range r, const real *__restrict__ u,
                 const real *__restrict__ v, const real *__restrict__ w, const real *__restrict__ p,
                 real *__restrict__ out)
{
    const ptrdiff_t nx = r.hi[X] - r.lo[X], ny = r.hi[Y] - r.lo[Y], nz = r.hi[Z] - r.lo[Z];
    const ptrdiff_t n = (ptrdiff_t)blockIdx.x * SAMPLE_THREADS + threadIdx.x;
    if (n >= nx * ny * nz) return;
    const int i = r.lo[X] + (int)(n % nx), j = r.lo[Y] + (int)(n / nx % ny), k = r.lo[Z] + (int)(n / nx / ny);
    point_sample(b, m, Q, u, v, w, p, i, j, k, out + n * point_sample_components(Q));
}

kol_status point_sample_cells(struct box b, struct metrics m, enum point_sample_quantity q, struct range r,
                              real *const vel[3], const real *p, real *out)
{
    const ptrdiff_t n = (ptrdiff_t)(r.hi[X] - r.lo[X]) * (r.hi[Y] - r.lo[Y]) * (r.hi[Z] - r.lo[Z]);
    auto kernel = q == SAMPLE_VELOCITY    ? cells_kernel<SAMPLE_VELOCITY>
                  : q == SAMPLE_PRESSURE  ? cells_kernel<SAMPLE_PRESSURE>
                  : q == SAMPLE_VORTICITY ? cells_kernel<SAMPLE_VORTICITY>
                  : q == SAMPLE_Q         ? cells_kernel<SAMPLE_Q>
                                          : cells_kernel<SAMPLE_LAMBDA2>;
    if (n <= 0) return KOL_OK;
    kernel<<<sample_grid(n), SAMPLE_THREADS, 0, queue_stream()>>>(b, m, r, vel[X], vel[Y], vel[Z], p, out);
    CUDA_LAUNCHED("sample_cells");
    return KOL_OK;
}

struct sampled_arrays {
    const real *of[POINT_SAMPLE_ARRAYS];
};

static __global__ void __launch_bounds__(SAMPLE_THREADS)
    points_kernel(ptrdiff_t n, const struct point_sample_point *__restrict__ point,
                  struct sampled_arrays array, real *__restrict__ out)
{
    const ptrdiff_t i = (ptrdiff_t)blockIdx.x * SAMPLE_THREADS + threadIdx.x;
    if (i >= n) return;
    const real *from = array.of[0];
#pragma unroll
    for (int a = 1; a < POINT_SAMPLE_ARRAYS; ++a)
        if (a == point[i].array) from = array.of[a];
    out[i] = from[point[i].at];
}

kol_status point_sample_points(ptrdiff_t n, const struct point_sample_point *point, int arrays,
                               const real *const *array, real *out)
{
    struct sampled_arrays from = {};
    if (n <= 0) return KOL_OK;
    if (arrays > POINT_SAMPLE_ARRAYS) RAISE(KOL_ERR_INTERNAL, "points of %d arrays", arrays);
    for (int a = 0; a < arrays; ++a) from.of[a] = array[a];
    points_kernel<<<sample_grid(n), SAMPLE_THREADS, 0, queue_stream()>>>(n, point, from, out);
    CUDA_LAUNCHED("sample_points");
    return KOL_OK;
}
