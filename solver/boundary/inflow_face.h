/* Where the values of an inflow lie: a face of the whole grid as a plane of velocities. */
#ifndef KOL_BOUNDARY_INFLOW_FACE_H
#define KOL_BOUNDARY_INFLOW_FACE_H

#include "state/grid.h"

/* inflow_face: a face of the whole grid: the two directions along it, the lower one first, and the cells
 * there. A plane of values is value[(c * (cells[1] + 1) + j) * (cells[0] + 1) + i]: component c at its own
 * staggered place (i, j), indices of faces from 0 to cells, of centres to cells - 1. */
struct inflow_face {
    int face, along[2], cells[2];
};
struct inflow_face inflow_face_make(const struct grid *g, int face);
size_t inflow_values(const struct inflow_face *f);
ptrdiff_t inflow_place(const struct inflow_face *f, int c, int i, int j);

#endif
