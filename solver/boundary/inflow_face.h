/* Where the values of an inflow lie: a face of the whole grid as a plane of velocities. */
#ifndef KOL_BOUNDARY_INFLOW_FACE_H
#define KOL_BOUNDARY_INFLOW_FACE_H

#include "parallel/decomp.h"
#include "state/grid.h"

/* inflow_face: a face of the whole grid. A plane of velocities on it is an array whose element
 *
 *     value[(c * (cells[1] + 1) + j) * (cells[0] + 1) + i]
 *
 * is component c at its own staggered place (i, j). An index of faces runs from 0 to cells, an index of
 * centres from 0 to cells - 1.
 *
 *   along   the two directions along the face, the lower one first
 *   cells   the global number of cells in these directions */
struct inflow_face {
    int face, along[2], cells[2];
};

/* inflow_face_make: returns the directions and the numbers of cells of a face (0 to 5). */
struct inflow_face inflow_face_make(const struct grid *g, int face);

/* inflow_face_index: returns the global index of place i, from -1 to n, of this rank along direction dir. A
 * place beyond a periodic direction gets the index on the other side. A place beyond a wall gets that of the
 * nearest place inside. on_face: whether places lie on the faces of cells; otherwise they lie at centres. */
int inflow_face_index(const struct grid *g, const struct decomp *d, int dir, int on_face, int i);

/* inflow_values: returns the number of values of a plane, of all three components together. */
size_t inflow_values(const struct inflow_face *f);

/* inflow_place: returns the index in a plane of component c at (i, j). */
ptrdiff_t inflow_place(const struct inflow_face *f, int c, int i, int j);

#endif
