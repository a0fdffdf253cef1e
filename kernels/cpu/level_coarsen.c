/* Computes the weights of the faces of a coarser level, in a box with bodies. */
#include "../level.h"
#include "../point/level.h"
#include "cells.h"

kol_status level_coarsen(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                         const int n_coarse[3], struct box cb, level_word *coarse)
{
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = 0; k < n_coarse[Z]; ++k) {
        for (int j = 0; j < n_coarse[Y]; ++j) {
            for (int i = 0; i < n_coarse[X]; ++i)
                coarse[at(cb, i, j, k)] = point_level_word(lb, s, cells.around, t, i, j, k);
        }
    }
    return KOL_OK;
}
