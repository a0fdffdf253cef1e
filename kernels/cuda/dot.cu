#include "../dot.h"
#include "check.cuh"
#include "queue.cuh"
#include "reduce.cuh"
#include "scalars.cuh"

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

/* The launch shape is that of laplace_start(), which reads and sums in the same way. */
kol_status dot_product(struct box b, struct blocks bl, const struct cg_state *cg, const real *a,
                       const real *c)
{
    const struct march march = march_make(bl, TUNE_START);
    dot_kernel<<<march.grid, (unsigned)(march.side * PIECE_THREADS), 0, queue_stream()>>>(b, bl, march, cg, a,
                                                                                          c);
    CUDA_LAUNCHED("dot_product");
    return KOL_OK;
}
