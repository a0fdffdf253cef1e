/* Linear maps of the values on a line from one set of faces to another, for runs that go on from another
 * grid. docs/numerics/regrid.md. */
#ifndef KOL_MATH_INTERPOLATE_LINE_H
#define KOL_MATH_INTERPOLATE_LINE_H

#include "kernels/base/status.h"

/* interpolate_line: a map between two lines. With t = start[j] .. start[j + 1] - 1,
 *
 *     value j of the new line = sum over t of weight[t] * (value index[t] of the old line) */
struct interpolate_line {
    int from, to; /* values of the old and of the new line */
    int *start, *index;
    double *weight;
    /* only from interpolate_line_points: end[j] is the weight of the value on the old line's last face, which
     * is not one of its values */
    double *end;
};

/* The next three functions make maps between two sets of face coordinates of the same interval.
 *
 *   from, old_face   number of old cells, and their from + 1 face coordinates [L]
 *   to, new_face     the same for the new cells
 *   periodic         1: the line is periodic; 0: it ends at walls
 *
 * The maps of points and of averages commute with differences. Take (u[i+1] - u[i]) / width and map it by
 * interpolate_line_averages; or map u by interpolate_line_points and take the differences on the new faces:
 * the result is the same. All return KOL_ERR_MEMORY if there is no memory.
 *
 * interpolate_line_points: makes the map for values at faces 0 .. n-1. It uses the cubic through the four
 * nearest faces, but no face beyond a wall. On face n the value is 0, or what the caller adds with `end`. */
kol_status interpolate_line_points(int from, const double *old_face, int to, const double *new_face,
                                   int periodic, struct interpolate_line *m);
/* interpolate_line_averages: makes the map for mean values of cells. It takes differences of the cubic
 * through the line's integral, so the integral is conserved. */
kol_status interpolate_line_centres(int from, const double *old_face, int to, const double *new_face,
                                    int periodic, struct interpolate_line *m);
kol_status interpolate_line_averages(int from, const double *old_face, int to, const double *new_face,
                                     int periodic, struct interpolate_line *m);
/* interpolate_line_free: frees a map. It accepts a zeroed struct. */
void interpolate_line_free(struct interpolate_line *m);
/* interpolate_line_apply: maps all lines of an array [outer][from][inner] into an array
 * [outer][to][inner]. */
void interpolate_line_apply(const struct interpolate_line *m, ptrdiff_t inner, ptrdiff_t outer,
                            const double *in, double *out);

#endif
