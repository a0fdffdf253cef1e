/* Passes residuals and corrections between levels in a box with bodies. */
#include "../level.h"
#include "../point/level.h"
#include "cells.h"

/* Calls f(i, j, k, place of the coarse cell) for all own coarse cells. */
#define EACH_COARSE(n, cb, f)                                                                                \
    for (int k = 0; k < (n)[Z]; ++k)                                                                         \
        for (int j = 0; j < (n)[Y]; ++j)                                                                     \
            for (int i = 0; i < (n)[X]; ++i) f

kol_status level_restrict_moved(struct box lb, struct level_stencil s, struct cells cells,
                                struct level_transfers t, const int n_coarse[3], struct box cb,
                                const level_real *q, level_real *r_coarse)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    EACH_COARSE(n_coarse, cb, {
        level_real *const to = r_coarse + at(cb, i, j, k);
        *to = point_level_gather_moved(lb, s, cells.around, t, i, j, k, q, *to);
    });
    return KOL_OK;
}

kol_status level_restrict_open(struct box lb, struct level_stencil s, struct cells cells,
                               struct level_transfers t, const int n_coarse[3], struct box cb,
                               const level_real *q, level_real *r_coarse)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    EACH_COARSE(n_coarse, cb,
                r_coarse[at(cb, i, j, k)] = point_level_gather(lb, s, cells.around, t, i, j, k, q));
    return level_restrict_moved(lb, s, cells, t, n_coarse, cb, q, r_coarse);
}

kol_status level_descend_open(struct box lb, struct level_stencil s, struct cells cells,
                              struct level_transfers t, const int n_coarse[3], struct box cb,
                              const level_real *r, const level_real *z, level_real *q, level_real *r_coarse)
{
    TRY(level_residual(lb, s, cells, r, z, q));
    if (!cells_compute_all(cells)) return KOL_OK;
    EACH_COARSE(n_coarse, cb,
                r_coarse[at(cb, i, j, k)] = point_level_gather(lb, s, cells.around, t, i, j, k, q));
    return KOL_OK;
}

kol_status level_prolong_open(struct box lb, struct level_stencil s, const struct level_correction *c,
                              level_real *z)
{
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            for (int i = 0; i < lb.nx; ++i) {
                const ptrdiff_t o = at(lb, i, j, k);
                z[o] += point_level_correction(c, point_level_moved(s, o), i, j, k);
            }
        }
    }
    return KOL_OK;
}
