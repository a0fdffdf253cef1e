/* Linear maps of the values on a line from one set of faces to another. docs/numerics/regrid.md. */
#ifndef KOL_MATH_INTERPOLATE_LINE_H
#define KOL_MATH_INTERPOLATE_LINE_H

#include "kernels/base/status.h"

/* line_map: value j of the new line = sum over t = start[j] .. start[j + 1] - 1 of weight[t] * old value
 * index[t]. */
struct interpolate_line {
    int from, to; /* values of the old and of the new line */
    int *start, *index;
    double *weight;
    double *end; /* of interpolate_line_points: weight of the value on the old line's last face, which is none
                    of its values */
};

/* Both take n + 1 face coordinates [L] of the same interval; periodic: the line goes round, else it ends at
 * walls. interpolate_line_points: values at faces 0 .. n-1, by the cubic through the four nearest faces;
 * beyond a wall's face there is none, and on face n the value is 0, or what the caller adds with `end`.
 * interpolate_line_averages: mean values of cells, by the differences of the cubic through the line's
 * integral: the integral is conserved. Together they commute with differences: the map of (u[i+1] - u[i]) /
 * width by interpolate_line_averages is that of u by interpolate_line_points, differenced on the new faces.
 * KOL_ERR_MEMORY. */
kol_status interpolate_line_points(int from, const double *old_face, int to, const double *new_face,
                                   int periodic, struct interpolate_line *m);
kol_status interpolate_line_averages(int from, const double *old_face, int to, const double *new_face,
                                     int periodic, struct interpolate_line *m);
/* interpolate_line_free takes a zeroed struct. */
void interpolate_line_free(struct interpolate_line *m);
/* interpolate_line_apply: all lines of an array [outer][from][inner], into [outer][to][inner]. */
void interpolate_line_apply(const struct interpolate_line *m, ptrdiff_t inner, ptrdiff_t outer,
                            const double *in, double *out);

#endif
