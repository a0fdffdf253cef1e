/* Packed values at the centres of a range of cells, and values at single points. Slices, boxes and probes
 * take them from the flow. */
#ifndef KOL_KERNELS_POINT_SAMPLE_H
#define KOL_KERNELS_POINT_SAMPLE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* What is sampled, at ccc. docs/numerics/vortices.md.
 *
 *   SAMPLE_VELOCITY    mean of the two faces [U]
 *   SAMPLE_PRESSURE    [U^2]
 *   SAMPLE_VORTICITY   its three components [1/T]
 *   SAMPLE_Q           -g_ij g_ji / 2 [1/T^2], half of squared rotation less squared strain
 *   SAMPLE_LAMBDA2     the middle eigenvalue of the symmetric part of g_ik g_kj [1/T^2]
 *
 * The last three are made of the velocity gradient g_ij = d u_i / d x_j. For i = j it is a difference over
 * the cell, for others the mean of the four edges. */
enum point_sample_quantity {
    SAMPLE_VELOCITY,
    SAMPLE_PRESSURE,
    SAMPLE_VORTICITY,
    SAMPLE_Q,
    SAMPLE_LAMBDA2,
    SAMPLE_QUANTITIES
};

/* point_sample_components: returns the number of values of a cell. */
HD int point_sample_components(enum point_sample_quantity q)
{
    return q == SAMPLE_VELOCITY || q == SAMPLE_VORTICITY ? 3 : 1;
}

/* point_sample_cells: samples the own cells of range r. With nx = r.hi[X] - r.lo[X] and so on, component c
 * of cell (i, j, k) goes to
 *
 *     out[(((k - r.lo[Z]) ny + j - r.lo[Y]) nx + i - r.lo[X]) components + c]
 *
 *   vel   velocity at fcc, cfc, ccf. Velocity reads own points and those on the high faces. Gradients read
 *         one halo layer, faces and edges, beyond walls as wall_fill leaves it.
 *   p     own cells; only for the pressure, otherwise NULL
 *
 * Arrays are in kernel memory. */
kol_status point_sample_cells(struct box b, struct metrics m, enum point_sample_quantity q, struct range r,
                              real *const vel[3], const real *p, real *out);

/* point_sample_point: a value of one of several arrays. */
enum { POINT_SAMPLE_ARRAYS = 12 }; /* the most of them */
struct point_sample_point {
    int array;
    ptrdiff_t at;
};

/* point_sample_points: copies single values, out[i] = array[point[i].array][point[i].at]. There may be up
 * to POINT_SAMPLE_ARRAYS arrays. point, out and the arrays are in kernel memory. */
kol_status point_sample_points(ptrdiff_t n, const struct point_sample_point *point, int arrays,
                               const real *const *array, real *out);

KOL_END_C

#endif
