/* Adds up dot products over the own cells, and volume-weighted sums of values and squares. */
#include "../volume_dot.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"
#include "cg.cuh"

static __global__ void __launch_bounds__(PIECES_MOST *PIECE_THREADS)
    dot_kernel(struct box b, struct blocks bl, const __grid_constant__ struct march march,
               const struct cg_state *cg, const real *KOL_RESTRICT a, const real *KOL_RESTRICT c)
{
    if (cg_ended(cg)) return;
    const struct tile t = tile_of(bl, march);
    ptrdiff_t o = at(b, t.own ? t.i : 0, t.own ? t.j : 0, t.z0);
    sum_march<1, 0>(bl, march, t, [&](int, double *part) {
        if (t.own) part[0] += (double)a[o] * c[o];
        o += b.sz;
    });
}

/* POWER: of a */
template <int POWER>
static __global__ void __launch_bounds__(PIECES_MOST *PIECE_THREADS)
    volume_kernel(struct box b, struct blocks bl, const __grid_constant__ struct march march,
                  struct stencil s, const real *KOL_RESTRICT a)
{
    const struct tile t = tile_of(bl, march);
    const int i = t.own ? t.i : 0, j = t.own ? t.j : 0;
    const double area = (double)s.wx[i] * s.wy[j];
    ptrdiff_t o = at(b, i, j, t.z0);
    sum_march<1, 0>(bl, march, t, [&](int k, double *part) {
        if (t.own) part[0] += POWER == 2 ? area * s.wz[k] * a[o] * a[o] : area * s.wz[k] * a[o];
        o += b.sz;
    });
}

kol_status volume_dot_weighted(struct box b, struct blocks bl, struct stencil s, const real *a)
{
    const struct march march = march_make(bl, TUNE_START);
    volume_kernel<1>
        <<<march.grid, (unsigned)(march.side * PIECE_THREADS), 0, queue_stream()>>>(b, bl, march, s, a);
    CUDA_LAUNCHED("dot_volume");
    return KOL_OK;
}

kol_status volume_dot_square(struct box b, struct blocks bl, struct stencil s, const real *a)
{
    const struct march march = march_make(bl, TUNE_START);
    volume_kernel<2>
        <<<march.grid, (unsigned)(march.side * PIECE_THREADS), 0, queue_stream()>>>(b, bl, march, s, a);
    CUDA_LAUNCHED("dot_square");
    return KOL_OK;
}

/* The launch shape is that of laplace_start(), which reads and sums in the same way. */
kol_status volume_dot_product(struct box b, struct blocks bl, const struct cg_state *cg, const real *a,
                              const real *c)
{
    const struct march march = march_make(bl, TUNE_START);
    dot_kernel<<<march.grid, (unsigned)(march.side * PIECE_THREADS), 0, queue_stream()>>>(b, bl, march, cg, a,
                                                                                          c);
    CUDA_LAUNCHED("dot_product");
    return KOL_OK;
}
