/* How a grid may be divided among ranks, as far as the input alone decides it. Directions are 0, 1, 2 = x, y,
 * z. */
#ifndef KOL_RANK_LAYOUT_H
#define KOL_RANK_LAYOUT_H

#include "input.h"

/* grid_blocks: the number of fixed blocks that a direction of n cells is divided into. Sums over the grid are
 * taken block by block, and no block lies on two ranks, so this is also the largest number of ranks in the
 * direction. */
int grid_blocks(int direction, int n);

/* grid_layout: the number of ranks in each direction that the input asks for; 0 leaves it open. If implicit
 * diffusion in z is chosen and z is left open, it asks for one rank in z, provided that nranks allows it:
 * then no rank has to wait for another along z. */
struct layout {
    int ranks[3];
};
struct layout grid_layout(const struct input *in, int nranks);

/* grid_ranks_fit: whether nranks is a product px*py*pz in which each factor is the one asked for (ranks; 0
 * leaves it open) and at most grid_blocks of its direction. grid_usable_ranks: the largest number of ranks up
 * to nranks that fits; 0 if there is none. */
int grid_ranks_fit(const int n[3], const int ranks[3], int nranks);
int grid_usable_ranks(const int n[3], const int ranks[3], int nranks);

#endif
