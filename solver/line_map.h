/* Linear maps of the values on a line from one set of faces to another. docs/numerics/regrid.md. */
#ifndef KOL_LINE_MAP_H
#define KOL_LINE_MAP_H

#include "../kernels/base/status.h"

/* line_map: value j of the new line = sum over t = start[j] .. start[j + 1] - 1 of weight[t] * old value index[t]. */
struct line_map {
    int from, to; /* values of the old and of the new line */
    int *start, *index;
    double *weight;
    double *
        end; /* of line_map_points: weight of the value on the old line's last face, which is none of its values */
};

/* Both take n + 1 face coordinates [L] of the same interval; periodic: the line goes round, else it ends at walls.
 * line_map_points: values at faces 0 .. n-1, by the cubic through the four nearest faces; beyond a wall's face there is
 * none, and on face n the value is 0, or what the caller adds with `end`. line_map_averages: mean values of cells, by the differences of the cubic through the
 * line's integral: the integral is conserved.
 * Together they commute with differences: the map of (u[i+1] - u[i]) / width by line_map_averages is that of u by
 * line_map_points, differenced on the new faces. KOL_ERR_MEMORY. */
kol_status line_map_points(int from, const double *old_face, int to, const double *new_face, int periodic,
                           struct line_map *m);
kol_status line_map_averages(int from, const double *old_face, int to, const double *new_face, int periodic,
                             struct line_map *m);
/* line_map_free takes a zeroed struct. */
void line_map_free(struct line_map *m);
/* line_map_apply: all lines of an array [outer][from][inner], into [outer][to][inner]. */
void line_map_apply(const struct line_map *m, ptrdiff_t inner, ptrdiff_t outer, const double *in,
                    double *out);

#endif
