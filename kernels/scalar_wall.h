/* Scalars beside bodies that hold their value or give a flux: the diffusion between the surface and the cells
 * next to it, and what passes through the surface. docs/numerics/scalars.md, "Bodies with a value".
 *
 * A cell whose centre lies in such a body is held: it keeps the value of the body, and scalar_transport()
 * gets no open face of it. Cells beside the surface are the points of this header. */
#ifndef KOL_SCALAR_WALL_H
#define KOL_SCALAR_WALL_H

#include "scalar.h"

KOL_BEGIN_C

/* scalar_link: a side of a point on which the surface lies. What enters the cell through it is, over the
 * volume and the diffusivity,
 *
 *     drag (wall - theta) + half (theta_away - wall) + mirror (wall - theta)
 *
 * beside what scalar_transport() has. wall is the value on the surface, theta_away the value in the cell on
 * the other side of the point. The first part is treated implicitly.
 *
 * If the body gives a flux instead, drag, half and mirror are 0, and gives times this flux enters the cell.
 *
 *   drag, half, mirror   [1/L^2]; mirror: of a surface that lies on the face of the cell
 *   gives                part of the surface over the volume of the cell [1/L]; 0: the body has a value
 *   side                 2 * direction + side
 *   open                 whether the face of the cell is open, so that scalar_transport() has a flux from the
 *                        held cell behind it */
struct scalar_link {
    real drag, half, mirror, gives;
    signed char side, open;
};

/* scalar_walls: the points of this rank, ordered by the block of sums in which they lie, and within a block
 * by k, j, i. All arrays are in kernel memory.
 *
 *   at      index of each point in a field
 *   first   point n has the links first[n] .. first[n + 1] - 1
 *   block   points block[q] .. block[q + 1] - 1 lie in block q of this rank */
struct scalar_walls {
    int points, links;
    const int *at, *first, *block;
    const struct scalar_link *link;
};

/* scalar_wall_values: values of each scalar of a call, one for each link, in kernel memory.
 *
 *   wall    value on the surface [own], or its flux into the fluid [own U]
 *   total   what has entered the fluid in this step [own L^3]; NULL: not wanted
 *   before  the rate of the explicit part in the stage before [own L^3/T]; NULL: not wanted
 *   keep    whether total has what the stages before have brought; otherwise it is not read */
struct scalar_wall_values {
    const real *wall[SCALARS_KERNEL];
    double *total[SCALARS_KERNEL], *before[SCALARS_KERNEL];
    int keep;
};

/* scalar_wall_stage: adds the links to what scalar_transport() has computed. With E the sum of the explicit
 * parts of a point, and z = dts kappa times the sum of its drags,
 *
 *     old += E ;   out = [out + a E - (1 - beta) z (base - mean) + beta z mean] / (1 + beta z)
 *
 * where mean is the mean of the values on the surface, weighted by the drags; beta is that of body_drag().
 * Through a closed face that moves, the velocity of the body carries the half-half mean of theta and wall.
 *
 *   s      the same as in scalar_transport(); only a, a_old, count and kappa are read
 *   dts    length of the stage [T]
 *   vel    velocity before the stage, own points and those on the high faces
 *   theta  values before the stage; one halo layer, faces
 *   base, old, out   as in scalar_transport() */
kol_status scalar_wall_stage(struct box b, struct metrics m, const struct scalar_walls *w,
                             const struct scalar_stage *s, const struct scalar_wall_values *v, real dts,
                             real *const vel[3], real *const *theta, real *const *base, real *const *old,
                             real *const *out);

/* scalar_wall_scatter: leaves, for sums.h, what scalar_record() lacks of SCALAR_SCATTER: with J the diffusion
 * through a link, the sum of (wall - theta) J over the diffusivity [own^2 L]. theta: one halo layer, faces.
 */
kol_status scalar_wall_scatter(struct box b, struct metrics m, struct blocks bl, const struct scalar_walls *w,
                               const real *wall, const real *theta);

/* scalar_wall_sum: sums values of links over segments: sum[s] is the sum of value[link[n]] for n = start[s]
 * .. start[s + 1] - 1. */
kol_status scalar_wall_sum(int segments, const int *start, const int *link, const double *value, double *sum);

KOL_END_C

#endif
