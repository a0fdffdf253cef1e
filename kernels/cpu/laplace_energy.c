/* Computes the sum of z times A z, which iterations with one sum need. */
#include "laplace_direction.h"

kol_status laplace_energy(struct box b, struct stencil s, struct blocks bl, struct cells cells,
                          const struct cg_state *cg, const real *z)
{
    if (s.open != NULL) RAISE(KOL_ERR_INTERNAL, "laplace_energy: not with bodies");
    if (over(cg) || !cells_compute_all(cells)) return KOL_OK;
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    product_row(b, s, bl, j, k, z);
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}
