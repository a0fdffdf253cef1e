/* Packs planes parallel to the walls into lines, and multiplies Fourier coefficients along them. */
#include "../plane_lines.h"
#include "../point/plane_lines.h"
#include "check.cuh"
#include "queue.cuh"

enum { THREADS = 128, ROWS_MOST = 65535 };

/* plane_kernel: threads lie side by side along the direction in which the plane is contiguous in the
 * target. */
static __global__ void __launch_bounds__(THREADS)
    plane_kernel(struct box b, const struct plane_average_frame d, int na, int nb, enum plane_kind kind,
                 int level, const real *u, const real *v, const real *w, const real *p, double *out)
{
    const int ia = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (ia >= na) return;
    for (int ib = (int)blockIdx.y; ib < nb; ib += (int)gridDim.y)
        out[(ptrdiff_t)ib * na + ia] =
            point_plane(d, kind, u, v, w, p, b.start + ia * d.sa + ib * d.sb + level * d.sn);
}

kol_status plane_lines_pack(struct box b, int normal, enum plane_kind kind, int level, real *const vel[3],
                            const real *p, double *out)
{
    const struct plane_average_frame d = plane_average_frame_make(b, normal);
    const int na = plane_average_cells(b, d.a), nb = plane_average_cells(b, d.b);
    const dim3 grid((unsigned)((na + THREADS - 1) / THREADS), (unsigned)(nb < ROWS_MOST ? nb : ROWS_MOST));
    plane_kernel<<<grid, THREADS, 0, queue_stream()>>>(b, d, na, nb, kind, level, vel[d.a], vel[d.b],
                                                       vel[d.n], p, out);
    CUDA_LAUNCHED("lines_pack");
    return KOL_OK;
}

/* products_kernel: each thread adds up one wave of one pair, line after line. The two threads after those of
 * the waves add up coefficient 0 of both. */
static __global__ void __launch_bounds__(THREADS)
    products_kernel(const __grid_constant__ struct plane_lines_pairs pairs, int n, int lines, const double *u,
                    double *out)
{
    const int m = (int)(blockIdx.x * THREADS + threadIdx.x), q = (int)blockIdx.y, waves = n / 2 + 1;
    if (m >= waves + 2) return;
    const double *f = u + (ptrdiff_t)pairs.first[q] * lines * n,
                 *g = u + (ptrdiff_t)pairs.second[q] * lines * n;
    double sum = 0;
    for (int l = 0; l < lines; ++l, f += n, g += n)
        sum += m < waves ? plane_lines_term(n, m, f, g) : m == waves ? f[0] : g[0];
    out[(ptrdiff_t)q * (waves + 2) + m] = sum;
}

kol_status plane_lines_products(const struct plane_lines_pairs *pairs, int n, int lines, const double *u,
                                double *out)
{
    const dim3 grid((unsigned)((n / 2 + 3 + THREADS - 1) / THREADS), (unsigned)pairs->n);
    if (pairs->n == 0) return KOL_OK;
    products_kernel<<<grid, THREADS, 0, queue_stream()>>>(*pairs, n, lines, u, out);
    CUDA_LAUNCHED("lines_products");
    return KOL_OK;
}
