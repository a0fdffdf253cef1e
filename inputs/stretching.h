/* Coordinates of the faces of one direction, by the stretching laws of grid.stretching. */
#ifndef KOL_STRETCHING_H
#define KOL_STRETCHING_H

#include "input.h"

/* stretching_faces: the n + 1 face coordinates. stretching: enum stretching_name. */
void stretching_faces(int n, double origin, double length, int stretching, double factor, double *face);

/* stretching_width: width of cell i, 0 .. n - 1; length / n where uniform, so that all are equal to the last
 * digit. */
double stretching_width(int n, double origin, double length, int stretching, double factor, int i);

/* stretching_smallest: the smallest cell width. */
double stretching_smallest(int n, double origin, double length, int stretching, double factor);

/* stretching_too_close: the first cell whose faces fall together, or nearly so, in working arithmetic: its
 * width is not above 8 epsilon times the larger coordinate; -1 where there is none. */
int stretching_too_close(int n, double origin, double length, int stretching, double factor);

/* stretching_ratio: h, the cube root of the mean cell volume, over the smallest width, that of direction
 * *thin. */
double stretching_ratio(const struct input *in, int *thin);

#endif
