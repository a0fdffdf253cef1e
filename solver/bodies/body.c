/* Asks the shape or the triangles of a body. */
#include "body.h"

#include <math.h>

double body_distance(const struct body *b, const double x[3], double skin)
{
    if (b->level_set != NULL) return level_set_distance(b->level_set, x);
    return b->stl != NULL ? stl_distance(b->stl, x, skin) : shape_distance(&b->shape, x);
}

int body_line(const struct body *b, const double x[3], int dir, int side, double length, double skin,
              struct shape_part part[SHAPE_PARTS])
{
    if (b->level_set != NULL) return level_set_line(b->level_set, x, dir, side, length, part);
    return b->stl != NULL ? stl_line(b->stl, x, dir, side, length, skin, part)
                          : shape_line(&b->shape, x, dir, side, length, skin, part);
}

void body_bounds(const struct body *b, double low[3], double high[3])
{
    if (b->stl != NULL) stl_bounds(b->stl, low, high);
    else shape_bounds(&b->shape, low, high);
}

double body_volume(const struct body *b)
{
    return b->stl != NULL ? stl_volume(b->stl) : shape_volume(&b->shape);
}

double body_area(const struct body *b)
{
    return b->stl != NULL ? stl_area(b->stl) : shape_area(&b->shape);
}

/* Of triangles: the smallest edge of the box round them. */
double body_thickness(const struct body *b)
{
    double low[3], high[3], least = HUGE_VAL;
    if (b->stl == NULL) return shape_thickness(&b->shape);
    stl_bounds(b->stl, low, high);
    for (int d = 0; d < 3; ++d) least = fmin(least, high[d] - low[d]);
    return least;
}

double body_beyond(const struct body *b, const double x[3])
{
    double low[3], high[3], square = 0;
    if (b->level_set != NULL) return 0;
    if (b->stl == NULL) return shape_distance(&b->shape, x);
    stl_bounds(b->stl, low, high);
    for (int d = 0; d < 3; ++d) {
        const double out = fmax(0, fmax(low[d] - x[d], x[d] - high[d]));
        square += out * out;
    }
    return sqrt(square);
}

void body_normal(const struct body *b, const double x[3], int dir, double normal[3])
{
    double size = 0;
    if (b->level_set != NULL) {
        level_set_normal(b->level_set, x, normal);
        return;
    }
    if (b->stl != NULL) {
        stl_normal(b->stl, x, dir, normal);
        return;
    }
    if (b->shape.kind == SHAPE_BOX) {
        shape_box_normal(&b->shape, x, dir, normal);
        return;
    }
    const double step = 1e-6 * fmin(1, shape_thickness(&b->shape));
    for (int d = 0; d < 3; ++d) {
        double one[3] = {x[0], x[1], x[2]}, two[3] = {x[0], x[1], x[2]};
        one[d] += step;
        two[d] -= step;
        normal[d] = shape_distance(&b->shape, one) - shape_distance(&b->shape, two);
        size += normal[d] * normal[d];
    }
    for (int d = 0; d < 3; ++d) normal[d] /= size > 0 ? sqrt(size) : 1;
}
