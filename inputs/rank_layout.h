/* How a grid may be divided among ranks, as far as the input alone decides it. Directions are 0, 1, 2 = x, y,
 * z. */
#ifndef KOL_RANK_LAYOUT_H
#define KOL_RANK_LAYOUT_H

#include "input.h"

/* grid_blocks: returns the number of fixed blocks into which a direction of n cells is divided. Sums over the
 * grid are taken block by block, and no block lies on two ranks. So this is also the largest number of ranks
 * in the direction. */
int grid_blocks(int direction, int n);

/* grid_layout: returns the number of ranks in each direction that the input asks for; 0 stands for any
 * number. If the input leaves z open and chooses implicit diffusion in z, one rank in z is asked for,
 * provided that nranks allows it. Then no rank has to wait for another one along z. */
struct layout {
    int ranks[3];
};
struct layout grid_layout(const struct input *in, int nranks);

/* grid_ranks_fit: returns whether nranks can be written as a product px*py*pz. Each factor must be the number
 * that is asked for (ranks; 0 stands for any number), and at most grid_blocks of its direction.
 * grid_usable_ranks: returns the largest number of ranks up to nranks that fits, or 0 if there is none. */
int grid_ranks_fit(const int n[3], const int ranks[3], int nranks);
int grid_usable_ranks(const int n[3], const int ranks[3], int nranks);

#endif
