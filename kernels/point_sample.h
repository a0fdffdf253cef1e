/* Values at the centres of a range of cells, packed, and values at single points: what slices, boxes and
 * probes take from the flow. */
#ifndef KOL_KERNELS_POINT_SAMPLE_H
#define KOL_KERNELS_POINT_SAMPLE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* What is sampled, at ccc. velocity: mean of the two faces [U]; pressure [U^2]. The others are made of the
 * velocity gradient g_ij = d u_i / d x_j: of its own direction over the cell, of another the mean of the four
 * edges. vorticity: its three components [1/T]; q: -g_ij g_ji / 2 [1/T^2], half of rotation less strain,
 * squared; lambda2: the middle eigenvalue of the symmetric part of g_ik g_kj [1/T^2].
 * docs/numerics/vortices.md. */
enum point_sample_quantity {
    SAMPLE_VELOCITY,
    SAMPLE_PRESSURE,
    SAMPLE_VORTICITY,
    SAMPLE_Q,
    SAMPLE_LAMBDA2,
    SAMPLE_QUANTITIES
};

/* point_sample_components: values of a cell. */
HD int point_sample_components(enum point_sample_quantity q)
{
    return q == SAMPLE_VELOCITY || q == SAMPLE_VORTICITY ? 3 : 1;
}

/* point_sample_cells: out[(((k - r.lo[Z]) ny + j - r.lo[Y]) nx + i - r.lo[X]) components + c] for the own
 * cells of r, nx = r.hi[X] - r.lo[X] and so on. vel: velocity at fcc, cfc, ccf: velocity reads own points and
 * the high faces, what is made of gradients one halo layer, faces and edges, beyond walls as wall_fill leaves
 * it. p: own cells; for pressure alone, else NULL. Kernel memory. */
kol_status point_sample_cells(struct box b, struct metrics m, enum point_sample_quantity q, struct range r,
                              real *const vel[3], const real *p, real *out);

/* sample_point: a value of one of four arrays. */
struct point_sample_point {
    int array;
    ptrdiff_t at;
};

/* point_sample_points: out[i] = array[point[i].array][point[i].at]. point, out, the arrays: kernel memory. */
kol_status point_sample_points(ptrdiff_t n, const struct point_sample_point *point,
                               const real *const array[4], real *out);

KOL_END_C

#endif
