/* The connected regions of the cells between which faces are open. */
#ifndef KOL_STATE_REGIONS_H
#define KOL_STATE_REGIONS_H

#include "grid.h"
#include "parallel/comm.h"

/* regions: the regions of the whole grid. Two cells belong to the same region if a way through open faces
 * leads from one to the other, also across periodic faces. Regions are numbered in the order of their first
 * cells, x fastest. So they are the same on any number of ranks.
 *
 *   label   region of each own cell, label[(k * ny + j) * nx + i]; -1 if no face of the cell is open
 *   cells   cells of each region */
struct regions {
    int count;
    int *label;
    long long *cells;
};

/* regions_create: finds the regions.
 *
 *   open   host memory, for each cell of the grid's box one byte: bit 2 * direction + side is set if this
 *          face of the cell is open. Only own cells are read.
 *
 * Returns KOL_ERR_MEMORY if there is no memory, or an error of MPI. Collective. */
kol_status regions_create(const struct comm *c, const struct decomp *d, const struct grid *g,
                          const unsigned char *open, struct regions *out);
/* regions_destroy: frees the arrays. It accepts a zeroed struct. */
void regions_destroy(struct regions *r);

#endif
