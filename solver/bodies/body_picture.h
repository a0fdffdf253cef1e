/* A picture of the bodies in a plane of the grid. */
#ifndef KOL_BODIES_BODY_PICTURE_H
#define KOL_BODIES_BODY_PICTURE_H

#include "body_geometry.h"

/* body_picture_write: writes a PNG file of the plane at a coordinate of a direction. Fluid is white, each
 * body has a colour, and black lines are the closed faces of the cells next to fluid. Each cell has the same
 * number of points, so that a stretched grid is drawn as if it were uniform. The first of the other two
 * directions runs to the right, the second one upward.
 *
 *   normal, position   of the plane. KOL_ERR_INPUT if it lies outside the domain.
 *
 * KOL_ERR_IO if the file can't be written. Collective. */
kol_status body_picture_write(const struct domain *domain, const struct body_geometry *g, int normal,
                              double position, const char *path);

#endif
