/* A body given by a level set: numbers on the nodes of the grid, positive in the fluid. */
#ifndef KOL_BODIES_LEVEL_SET_H
#define KOL_BODIES_LEVEL_SET_H

#include "shape.h"
#include "state/domain.h"

struct level_set;

/* level_set_create: reads this rank's part of the dataset level_set of a file, with enough nodes round it for
 * the geometry of bodies.
 *
 *   by       the input that names the file, for messages
 *   margin   of body_set.h [L]
 *
 * KOL_ERR_INPUT on all ranks if the file can't be used. domain is borrowed. Collective. */
kol_status level_set_create(const struct domain *domain, const char *file, const struct input_place *by,
                            double margin, struct level_set **out);
void level_set_destroy(struct level_set **s);

/* level_set_distance: returns a number with the sign of the level set at x, which is trilinear between nodes:
 * the mean of four nodes at the centre of a face. Its magnitude is at most half the margin. level_set_line:
 * does what shape_line() does for the link between two face centres, on which the level set is taken as
 * linear. level_set_normal: finds the direction in which it grows. */
double level_set_distance(const struct level_set *s, const double x[3]);
int level_set_line(const struct level_set *s, const double x[3], int dir, int side, double length,
                   struct shape_part part[SHAPE_PARTS]);
void level_set_normal(const struct level_set *s, const double x[3], double normal[3]);

#endif
