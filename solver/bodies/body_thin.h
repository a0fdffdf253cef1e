/* Walls of bodies that are thinner than a cell, so that the faces on both sides are open. */
#ifndef KOL_BODIES_BODY_THIN_H
#define KOL_BODIES_BODY_THIN_H

#include "body_faces.h"
#include "body_set.h"

/* body_thin: the links between two open faces that pass through a wall: solid whose surfaces on both sides of
 * it face away from each other, at an angle of more than 120 degrees. Its depth is half its thickness along
 * the normal. Links that only pass through an edge or near the crest of a curved surface do not count.
 *
 *   links     number of links whose depth is above BODY_THIN of the link
 *   deepest   the largest depth of any such link, over its length
 *   first     the first link: (global cell, x fastest) * 9 + 3 * component + direction; -1: none
 *   body      the body of the first one */
struct body_thin {
    long long links, first;
    double deepest;
    int body;
};
#define BODY_THIN 0.05

/* body_thin_find: finds such links from the faces that this rank owns to the next ones upward. open, near:
 * see body_mask.h. */
void body_thin_find(const struct body_set *s, const struct body_faces *f, struct box b,
                    const unsigned char *open, const unsigned char *near, struct body_thin *out);

#endif
