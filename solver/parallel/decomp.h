/* Which rank owns which cells: a 3-D Cartesian decomposition whose cuts fall between the fixed blocks over
 * which sums are staged (kernels/base/types.h, struct blocks), so that sums have the same bits on any number
 * of ranks. */
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

/* decomp_create: ranks of 0 are chosen: the layout whose fullest rank has the fewest cells, halo
 * counted; cut in z before y before x where equal. The inputs' check has made sure that a layout exists;
 * KOL_ERR_INPUT otherwise. Not collective. */
kol_status decomp_create(const int n_g[3], const int ranks[3], int size, int rank, struct decomp *d);
/* decomp_block_start: global index of the first cell of block b of direction dir; b = blocks_g: n_g. */
int decomp_block_start(const struct decomp *d, int dir, int b);
/* decomp_offset: global index of the first cell of the ranks at place coord, 0 .. ranks of the direction;
 * ranks: n_g. */
int decomp_offset(const struct decomp *d, int dir, int coord);
/* decomp_cells_most: cells that the fullest of the ranks has in a direction. */
int decomp_cells_most(const struct decomp *d, int dir);
/* decomp_neighbour: rank at offset s (each -1, 0, 1) in the periodic box. */
int decomp_neighbour(const struct decomp *d, const int s[3]);

#endif
