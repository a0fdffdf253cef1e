/* Shapes of bodies: a signed function of the place, and the parts of a straight line that lie inside. */
#ifndef KOL_BODIES_SHAPE_H
#define KOL_BODIES_SHAPE_H

#include "inputs/input.h"

/* shape: a shape at its place.
 *
 *   turn     its own three directions; the third one is its axis. A point has the coordinates
 *            q = turn (x - centre) in the body.
 *   half     half of the numbers in bodies.size, in the order of the own directions for 'box' and
 *            'ellipsoid'. A half length of HUGE_VAL means that the shape has no ends.
 *            'wave': amplitude and wavenumber 2 pi / wavelength. */
struct shape {
    int kind; /* enum shape_name */
    double centre[3];
    double turn[3][3];
    double half[3];
};

/* shape_make: makes a shape of the inputs of one body. A 'cylinder' or a 'capsule' whose length is 0 gets no
 * ends. */
struct shape shape_make(int kind, const double centre[3], const double size[3], int axis,
                        const double angles[3]);

/* shape_distance: returns a number that is negative inside, 0 on the surface and positive outside [L]. Its
 * magnitude is never larger than the distance from the surface; but for 'ellipsoid' and 'wave' it is this
 * distance. */
double shape_distance(const struct shape *s, const double x[3]);

/* shape_line: finds the parts of a line inside a shape.
 *
 *   x, dir     start of the line and its direction 0, 1, 2; upward with side = 1, downward with side = 0
 *   length     of the line [L]
 *   skin       a line that runs along a flat surface of the shape lies inside if it is at most this far
 *              outside; below 0: only if it is at least as far inside [L]
 *   part       out: parts of the line, at most SHAPE_PARTS, in increasing order; their ends are distances
 *              from x, between 0 and length
 *
 * Returns their number. A line that touches a curved surface has no part inside. The ends are exact to
 * rounding; those of 'torus' and 'wave' to 1e-12 of the length, and two of their surfaces that are closer
 * than 1e-3 of the length may be missed. */
enum { SHAPE_PARTS = 16 };
struct shape_part {
    double from, to;
};
int shape_line(const struct shape *s, const double x[3], int dir, int side, double length, double skin,
               struct shape_part part[SHAPE_PARTS]);

/* shape_bounds: finds the box round a shape; it is -HUGE_VAL to HUGE_VAL where the shape has no end. */
void shape_bounds(const struct shape *s, double low[3], double high[3]);

/* shape_volume, shape_area: return the volume and the area of the surface; HUGE_VAL if the shape has no
 * end. */
double shape_volume(const struct shape *s);
double shape_area(const struct shape *s);
/* shape_box_normal: finds the outward normal of the side of a box on which x lies; on an edge, of the side
 * that a line in direction dir crosses most directly. */
void shape_box_normal(const struct shape *s, const double x[3], int dir, double normal[3]);
/* shape_thickness: returns the smallest diameter of a shape; HUGE_VAL for a half space. */
double shape_thickness(const struct shape *s);

#endif
