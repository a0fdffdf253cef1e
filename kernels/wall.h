/* Walls: the layer of halo cells beyond faces of the grid that are not periodic. docs/numerics/walls.md. */
#ifndef KOL_WALL_H
#define KOL_WALL_H

#include "base/status.h"

KOL_BEGIN_C

/* walls: faces of this rank's box that bound the grid. faces: bit f set where face f (enum of types.h) is
 * one. Beyond it a component of the velocity along the face is u_beyond = factor u_inside + (1 - factor)
 * velocity : factor = -1: the mean of both, the value on the face itself, is that of the wall (no slip); 1:
 * no shear (free slip); 0: velocity is the value beyond (outflow). The component through the face has the
 * velocity's value on it, and is odd round it. Spacings beyond the face are mirrored (grid.h), so that
 * gradients across it are those at the wall. */
struct walls {
    int any; /* whether the grid has walls, of this rank's box or another's */
    unsigned faces;
    unsigned open; /* of these, the ones that fluid passes through (open.h) */
    real factor[FACES];
    real velocity[FACES][3];  /* of the wall [U] */
    const real *plane[FACES]; /* of open faces: the velocity at each place instead, plane_at(), kernel memory
                                 [U]; else NULL */
};

/* plane_at: index of component c at (i, j) of a plane of the face direction d; i and j, -1 .. n, run along
 * the other two directions, the lower one first. plane_values: values of one component; three of them, x, y,
 * z, make a plane. */
HD ptrdiff_t plane_values(struct box b, int d)
{
    const ptrdiff_t rows = d == Z ? b.ny : b.nz, row = d == X ? b.ny : b.nx;
    return (row + 2) * (rows + 2);
}

HD ptrdiff_t plane_at(struct box b, int d, int c, int i, int j)
{
    const ptrdiff_t row = (d == X ? b.ny : b.nx) + 2;
    return c * plane_values(b, d) + (j + 1) * row + (i + 1);
}

/* walls_none: a periodic box. */
HD struct walls walls_none(void)
{
    struct walls w;
    w.any = 0;
    w.faces = w.open = 0;
    for (int f = 0; f < FACES; ++f) {
        w.factor[f] = 0;
        w.plane[f] = NULL;
        for (int c = 0; c < 3; ++c) w.velocity[f][c] = 0;
    }
    return w;
}

/* wall_fill: the components through the faces on them (index 0 at a low face, an own point; n at a high one),
 * and the layer beyond the faces. Along the faces the layer reaches one halo cell further than the own cells;
 * along directions of which both ends are walls it is filled, too. CELLS_INNER: but not beyond the faces of
 * c.remote, whose halo is still on its way. CELLS_RIM, when that has come: what is beyond faces of c.remote,
 * walls or not, and nothing else that CELLS_INNER has filled, but for the own points on low walls among these
 * faces, which get the same value again: sweeps over inner cells may run meanwhile. vel: velocity [U] at fcc,
 * cfc, ccf, own points up to date, and the halo along the faces. Per cell of a wall: 3 reads, 4 writes. */
kol_status wall_fill(struct box b, struct walls w, struct cells c, real *const vel[3]);

/* wall_shear: of the component c of the velocity along a face, the pieces of rows of this rank's part of it:
 * sum of area times (u_inside - u_beyond) over the distance of both [U L], over the cells of each block of bl
 * along the first direction of the face, in order, row j of the second: rows[j * blocks + block] u: own cells
 * and the layer beyond the face, as wall_fill leaves it. rows: kernel memory. Per cell of the face: 2 reads.
 */
kol_status wall_shear(struct box b, struct metrics m, struct blocks bl, int face, int c, const real *u,
                      double *rows);

KOL_END_C

#endif
