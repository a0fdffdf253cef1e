/* Which rank owns which cells: a 3-D Cartesian decomposition. It divides the grid only between the fixed
 * blocks of struct blocks (kernels/base/types.h). Kernels leave one partial sum for each block, so that sums
 * have the same bits on any number of ranks. */
#ifndef KOL_PARALLEL_DECOMP_H
#define KOL_PARALLEL_DECOMP_H

#include "kernels/base/types.h"
#include "comm.h"

struct decomp {
    int n_g[3];      /* cells of the whole grid */
    int ranks[3];    /* ranks in each direction; rank = (cz*py + cy)*px + cx */
    int coord[3];    /* place of this rank */
    int n[3];        /* own cells */
    int offset[3];   /* global index of the first own cell */
    int blocks_g[3]; /* blocks of the whole grid */
    int blocks[3];   /* own blocks */
    int first_block[3];
};

/* decomp_create: divides a grid of n_g cells between `size` ranks, and fills *d for rank `rank`.
 *
 *   ranks    wanted ranks in each direction; 0 stands for any number
 *
 * Of the possible layouts it chooses the one whose largest rank has the fewest cells, with its halo
 * counted. If several are equal, it prefers to divide z, then y, then x. The check of the input has made
 * sure that a layout exists; otherwise KOL_ERR_INPUT. Not collective. */
kol_status decomp_create(const int n_g[3], const int ranks[3], int size, int rank, struct decomp *d);
/* decomp_block_start: returns the global index of the first cell of block b in direction dir. For b =
 * blocks_g it returns n_g. */
int decomp_block_start(const struct decomp *d, int dir, int b);
/* decomp_offset: returns the global index of the first cell of the ranks with coordinate `coord` in direction
 * dir, 0 .. ranks - 1. For coord = ranks it returns n_g. */
int decomp_offset(const struct decomp *d, int dir, int coord);
/* decomp_cells_most: returns the largest number of cells that a rank has in direction dir. */
int decomp_cells_most(const struct decomp *d, int dir);
/* decomp_rank_at: returns the rank with these coordinates. */
int decomp_rank_at(const struct decomp *d, const int coord[3]);
/* decomp_next: returns the rank that is `step` ranks away from this one along dir, or -1 if that is beyond
 * the end of the box. */
int decomp_next(const struct decomp *d, int dir, int step);
/* decomp_neighbour: returns the rank at offset s from this one, each s[i] one of -1, 0, 1. The box is taken
 * as periodic. */
int decomp_neighbour(const struct decomp *d, const int s[3]);

#endif
