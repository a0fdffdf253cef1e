/* One body of the flow: a shape by formula or by triangles. */
#ifndef KOL_BODIES_BODY_H
#define KOL_BODIES_BODY_H

#include "inputs/input_source.h"
#include "body_motion.h"
#include "level_set.h"
#include "shape.h"
#include "stl.h"

struct body {
    struct shape shape;
    double size[3];  /* as in the input [L] */
    int operation;   /* enum operation_name */
    double rotation; /* [rad/T] */
    struct body_motion motion;
    double moved[3];             /* how far it is from its centre now, less whole periods [L] */
    int gone;                    /* it has vanished: it has no images */
    double remove_time;          /* it vanishes then; negative: never [T] */
    double rest[3][3];           /* shape.turn of the body at rest */
    struct input_place by;       /* the input that gives it, for messages */
    int entry;                   /* its number in this input, or its line of the file, counted from 1 */
    struct stl *stl;             /* of the shape 'stl'; else NULL */
    struct level_set *level_set; /* of the shape 'levelset'; else NULL */
};

/* body_distance, body_line, body_bounds, body_volume, body_area, body_thickness: do for a body what the
 * functions of shape.h do for a shape. Of triangles, the magnitude of the distance is that of stl_distance().
 * skin: see shape_line(). */
double body_distance(const struct body *b, const double x[3], double skin);
int body_line(const struct body *b, const double x[3], int dir, int side, double length, double skin,
              struct shape_part part[SHAPE_PARTS]);
void body_bounds(const struct body *b, double low[3], double high[3]);
double body_volume(const struct body *b);
double body_area(const struct body *b);
double body_thickness(const struct body *b);
/* body_beyond: returns a number that is not larger than the distance of x from the body; it is not above 0
 * inside. */
double body_beyond(const struct body *b, const double x[3]);
/* body_normal: finds the outward normal at a point of the surface on a line in direction dir. */
void body_normal(const struct body *b, const double x[3], int dir, double normal[3]);

#endif
