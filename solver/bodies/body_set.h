/* The bodies of the flow with their shapes, and where each of them may be found: the set answers which body a
 * face centre lies in, and where grid lines cross the surface of the solid. */
#ifndef KOL_BODIES_BODY_SET_H
#define KOL_BODIES_BODY_SET_H

#include "body.h"
#include "state/domain.h"

/* A point counts as on a surface if it is closer than this part of the longest edge of the domain. So a body
 * whose faces lie on grid faces has them closed in spite of rounding. */
#define BODY_TOUCH 1e-12

/* body_image: a body at one of its places in a periodic domain. The body lies at x where shape(x - shift)
 * says so. low, high: the box round it, with a margin of the longest distance of neighbouring faces. */
struct body_image {
    int body;
    double shift[3], low[3], high[3];
};

/* body_set: bodies in the order in which they act. The domain is divided into bins; item[first[b] ..
 * first[b + 1] - 1] are the numbers of the images that reach into bin b, ordered by body. A body that
 * intersects is in all bins. An image that is nowhere has low > high. */
struct body_set {
    int count;
    struct body *body;
    int images;
    struct body_image *image;
    int bins[3];
    double origin[3], bin_size[3];
    int *first, *item;
    double touch;     /* [L] */
    double margin;    /* longer than any distance of neighbouring faces [L] */
    double period[3]; /* of periodic directions, 0 in the others [L] */
};

/* body_set_create: makes the set of the bodies that the input describes, for the state at a time t. Bodies
 * that have vanished keep their numbers but have no images. *out is NULL if no bodies are left.
 * KOL_ERR_INPUT if a body can't be repeated in the periodic directions. */
kol_status body_set_create(const struct domain *domain, double t, struct body_set **out);
void body_set_destroy(struct body_set **s);
/* body_set_move: takes all bodies to their places at a time t. body_set_create() makes the set of time 0. */
kol_status body_set_move(const struct grid *g, struct body_set *s, double t);

/* body_set_row: finds in which bodies the points of a row along x lie.
 *
 *   n, x, y, z   number of points and their coordinates, all within the domain or beyond its boundaries
 *   owner        out: for each point, the body that it lies in; -1: in the fluid
 *   depth        out: for each point, a number that is not larger than its distance from the nearest surface
 *                of any body, and not larger than the margin [L] */
void body_set_row(const struct body_set *s, int n, const double *x, double y, double z, int *owner,
                  double *depth);

/* body_part: a part of a grid line that lies in the solid: distances from its start, over its length, and the
 * body that it belongs to. from_image, to_image: the images whose surfaces these are; -1 at an end of the
 * line. */
enum { BODY_PARTS = 24 };
struct body_part {
    double from, to;
    int body, from_image, to_image;
};
/* body_set_link: finds the parts of the line from x in a direction that lie in the solid, see shape_line().
 * length is at most the margin. Returns their number. */
int body_set_link(const struct body_set *s, const double x[3], int dir, int side, double length,
                  struct body_part part[BODY_PARTS]);

/* body_set_normal: finds the normal at x, out of the solid, of the surface of an image, which a grid line in
 * direction dir crosses there. */
void body_set_normal(const struct body_set *s, int image, const double x[3], int dir, double normal[3]);

#endif
