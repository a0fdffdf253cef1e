/* Passes residuals and corrections between levels in a box with bodies. */
#include "../level.h"
#include "../point/level.h"
#include "cells.h"

kol_status level_restrict_open(struct box lb, struct level_stencil s, struct cells cells,
                               struct level_transfers t, const int n_coarse[3], struct box cb,
                               const level_real *q, level_real *r_coarse)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < n_coarse[Z]; ++k) {
        for (int j = 0; j < n_coarse[Y]; ++j) {
            for (int i = 0; i < n_coarse[X]; ++i)
                r_coarse[at(cb, i, j, k)] = point_level_gather(lb, s, cells.around, t, i, j, k, q);
        }
    }
    return KOL_OK;
}

kol_status level_prolong_open(struct box lb, struct level_stencil s, struct cells cells,
                              const struct level_correction *c, level_real *z)
{
    for (int k = 0; k < lb.nz; ++k) {
        for (int j = 0; j < lb.ny; ++j) {
            for (int i = 0; i < lb.nx; ++i)
                z[at(lb, i, j, k)] += point_level_correction(lb, s, cells.around, *c, i, j, k);
        }
    }
    return KOL_OK;
}
