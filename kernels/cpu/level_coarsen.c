/* Marks the cells that move to another coarse cell, and computes the weights of the faces of a coarser level,
 * in a box with bodies. */
#include "../level.h"
#include "../point/level.h"
#include "cells.h"

kol_status level_mark(struct box lb, struct level_stencil s, struct cells cells, struct level_transfers t,
                      unsigned char *open, level_word *faces)
{
    const unsigned around = cells.around;
    if (!cells_compute_all(cells)) return KOL_OK;
    for (int k = -lb.h; k < lb.nz + lb.h; ++k) {
        for (int j = -lb.h; j < lb.ny + lb.h; ++j) {
            for (int i = -lb.h; i < lb.nx + lb.h; ++i) {
                const unsigned mark = point_level_mark(lb, s, around, t, i, j, k);
                const ptrdiff_t to = at(lb, i, j, k), from = point_level_from(lb, around, i, j, k);
                if (open != NULL) open[to] = (unsigned char)(s.open[from] | mark << FACES);
                else faces[to] = s.faces[from] | (level_word)mark << (FACES * LEVEL_FACE_BITS);
            }
        }
    }
    return KOL_OK;
}

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
