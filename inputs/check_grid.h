/* The rules on &grid. Private to inputs/. */
#ifndef KOL_CHECK_GRID_H
#define KOL_CHECK_GRID_H

#include "reading.h"

/* check_grid: checks these rules and adds the faults to r. Returns whether the faces of the grid can be
 * computed and lie far enough apart. */
int check_grid(struct reading *r, const struct input *in);

#endif
