/* A closed surface of triangles from an STL file. docs/numerics/bodies.md, "Triangles". */
#ifndef KOL_BODIES_STL_H
#define KOL_BODIES_STL_H

#include <stddef.h>

#include "kernels/base/status.h"
#include "shape.h"

/* stl_frame: how the surface lies on the grid.
 *
 *   shape    its centre and its own directions; the coordinates of the file are multiplied by `scale`
 *   origin   a point of the domain, and `longest`, its longest edge [L]: corners are rounded to a lattice of
 *            2^-46 longest, on which it is decided exactly on which side of an edge a grid line passes
 *   margin   of body_set.h [L]
 *   by       words that say which input names the file, for messages */
struct stl_frame {
    struct shape shape;
    double scale, origin[3], longest, margin;
    const char *by;
};
struct stl;

/* stl_create: makes a surface from the bytes of a text or binary STL file.
 *
 * KOL_ERR_INPUT, with file and line or number of the triangle, in these cases: the file is no STL file, it is
 * empty, a coordinate is not finite; an edge does not belong to exactly two triangles that turn the same way;
 * a closed part is inside out; two triangles cut each other. */
kol_status stl_create(const char *file, const char *bytes, size_t length, const struct stl_frame *frame,
                      struct stl **out);
void stl_destroy(struct stl **s);

/* stl_distance: returns a number with the sign of the distance from the surface, negative inside. Its
 * magnitude is the distance along x, but at most half the margin where the surface may be closer than the
 * margin, and at most the margin elsewhere. skin: points on a triangle count as inside if it is not below 0.
 */
double stl_distance(struct stl *s, const double x[3], double skin);
/* stl_line: does what shape_line() does. */
int stl_line(struct stl *s, const double x[3], int dir, int side, double length, double skin,
             struct shape_part part[SHAPE_PARTS]);
/* stl_normal: finds the outward normal of the triangle that is nearest to x on the line in direction dir. */
void stl_normal(struct stl *s, const double x[3], int dir, double normal[3]);
void stl_bounds(const struct stl *s, double low[3], double high[3]);
double stl_volume(const struct stl *s);
double stl_area(const struct stl *s);

#endif
