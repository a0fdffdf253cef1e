/* Face coordinates of one direction by the laws of grid.stretching. */
#ifndef KOL_STRETCHING_H
#define KOL_STRETCHING_H

#include "input.h"

/* All of these functions take the number of cells n, the origin and length of the direction [L], its law
 * (enum stretching_name) and its factor.
 *
 * stretching_faces: computes the n + 1 face coordinates [L]. */
void stretching_faces(int n, double origin, double length, int stretching, double factor, double *face);

/* stretching_width: returns the width of cell i, 0 to n - 1 [L]. With uniform spacing it is length / n,
 * so that all widths are equal to the last digit. */
double stretching_width(int n, double origin, double length, int stretching, double factor, int i);

/* stretching_too_close: returns the first cell whose two faces can hardly be distinguished in working
 * precision. Its width is at most 8 epsilon times the larger coordinate. Returns -1 if there is no such cell.
 */
int stretching_too_close(int n, double origin, double length, int stretching, double factor);

/* stretching_ratio: returns h divided by the smallest width, where h is the cube root of the mean cell
 * volume. *thin is the direction of the smallest width. */
double stretching_ratio(const struct input *in, int *thin);

#endif
