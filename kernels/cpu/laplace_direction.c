/* Forms the new search direction of conjugate gradients and its product with the operator. */
#include "laplace_direction.h"

kol_status laplace_direction(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                             const struct cg_state *cg, const real *z, const real *d, real *d_new)
{
    if (over(cg) || !cells_compute_all(cells)) return KOL_OK;
    const real beta = cg != NULL ? (real)cg->beta : 0;
    direction_lead(b, beta, z, d, d_new);
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            direction_sides(b, k, beta, z, d, d_new);
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    direction_row(b, j, k + 1, beta, z, d, d_new);
                    product_row(b, s, bl, j, k, d_new);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

/* How far cell i lies beyond 0 .. n - 1. */
static int beyond(int i, int n)
{
    return i < 0 ? -i : i >= n ? i - n + 1 : 0;
}

kol_status laplace_direction_halo(struct box b, struct cells cells, int layers, const struct cg_state *cg,
                                  const real *z, const real *d, real *d_new)
{
    (void)cells;
    if (over(cg)) return KOL_OK;
    const real beta = cg != NULL ? (real)cg->beta : 0;
    const int edges = layers > 1;
    for (int k = -layers; k < b.nz + layers; ++k) {
        for (int j = -layers; j < b.ny + layers; ++j) {
            const int out_y = beyond(j, b.ny), out_z = beyond(k, b.nz), out = out_y + out_z;
            /* beyond the box in two directions: only the first layer */
            const int ends = out == 0 ? layers : out == 1 ? edges : 0;
            if (out_y > 0 && out_z > 0 && (out > 2 || !edges)) continue;
            if (out > 0) combine(b, j, k, 0, b.nx, beta, z, d, d_new);
            combine(b, j, k, -ends, 0, beta, z, d, d_new);
            combine(b, j, k, b.nx, b.nx + ends, beta, z, d, d_new);
        }
    }
    return KOL_OK;
}
