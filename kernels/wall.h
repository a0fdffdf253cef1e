/* Walls: the layer of halo cells beyond those faces of the grid that are not periodic.
 * docs/numerics/walls.md. */
#ifndef KOL_WALL_H
#define KOL_WALL_H

#include "base/status.h"

KOL_BEGIN_C

/* walls: the faces of this rank's box that bound the grid. Beyond such a face, a velocity component along
 * the face is
 *
 *     u_beyond = factor u_inside + (1 - factor) velocity
 *
 *   factor = -1   no slip: the mean of both, which is the value on the face, is the velocity of the wall
 *   factor = 1    free slip: no shear
 *   factor = 0    outflow: velocity is the value beyond
 *
 * The component through the face has the value `velocity` on it, and is odd about it. Spacings beyond the
 * face are mirrored (grid.h), so that gradients across it are those at the wall. */
struct walls {
    int any; /* whether the grid has walls, at this rank's box or another's */
    unsigned faces;
    unsigned open; /* those of these faces that fluid passes through (open_face.h) */
    real factor[FACES];
    real velocity[FACES][3]; /* of the wall [U] */
    const real
        *plane[FACES]; /* of an open face, or of a wall whose velocity varies: the velocity at each place
                                 instead, see plane_at(), kernel memory [U]; otherwise NULL */
};

/* plane_at: returns the index of component c at (i, j) in the plane of a face normal to d. i and j go from -1
 * to n along the other two directions, the lower one first. plane_values: returns the number of values of one
 * component. A plane has three components: x, y, z. */
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

/* walls_none: returns a struct without walls, as in a periodic box. */
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

/* wall_fill: fills the layer beyond the faces, and sets the velocity components through the faces on the
 * faces. The component on a low face has index 0 and is an own point; on a high face it has index n. Along
 * the faces the layer reaches one halo cell further than the own cells. Along directions with walls at both
 * ends that cell is filled, too.
 *
 * CELLS_INNER: the halo beyond the faces of c.remote has not arrived yet, and nothing is filled there.
 *
 * CELLS_RIM: this halo has arrived. Now the cells beyond the faces of c.remote are filled, whether these are
 * walls or not. What CELLS_INNER has filled does not change. Only the own points on low walls among these
 * faces are written again, with the same values. So sweeps over inner cells may run meanwhile.
 *
 * vel: velocity [U] at fcc, cfc, ccf; own points, and the halo along the faces, up to date. Per cell of a
 * wall: 3 reads, 4 writes. */
kol_status wall_fill(struct box b, struct walls w, struct cells c, real *const vel[3]);

/* wall_shear: computes the shear of component c of the velocity on this rank's part of a face. It is the sum
 * of area times (u_inside - u_beyond), divided by their distance [U L],
 *
 *     rows[j * blocks + block]
 *
 * There is one value for each row j along the second direction of the face and each block of bl along the
 * first. Terms are added in order. u: own cells and the layer beyond the face, as wall_fill leaves it. rows:
 * kernel memory. Per cell of the face: 2 reads. */
kol_status wall_shear(struct box b, struct metrics m, struct blocks bl, int face, int c, const real *u,
                      double *rows);

KOL_END_C

#endif
