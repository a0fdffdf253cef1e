/* The lists of faces next to walls, and of the closed faces that stencils read. */
#ifndef KOL_BODIES_BODY_WALLS_H
#define KOL_BODIES_BODY_WALLS_H

#include "body_faces.h"
#include "body_set.h"

/* body_wall_face: an open face, of which at least one neighbour of the same velocity component is closed.
 * Entry s = 2 * direction + side is for the neighbour along the grid line in this direction.
 *
 *   cell   local indices of the cell whose lower face it is
 *   xi     distance from the centre of the face to the first wall, divided by the distance of the two face
 *          centres. It lies between BODY_XI_LEAST and 1. It is 1 if the neighbour is open.
 *   body   body that the wall belongs to; -1 if the neighbour is open */
struct body_wall_face {
    int cell[3];
    double xi[6];
    int body[6];
};
#define BODY_XI_LEAST 1e-6

/* body_closed_face: a closed face that the stencil of an open face or of a live cell can read. At least one
 * of the 27 cells round its cell is live. body: the body in which its centre lies. */
struct body_closed_face {
    int cell[3];
    int body;
};

/* body_walls_find: makes the list of the open faces of component c next to closed ones. body_closed_find:
 * makes the list of closed faces. body_geometry.h says which faces are in them.
 *
 *   open, near   as in body_mask.h
 *   list         out: the caller frees it with free(), also after a fault
 *
 * Both return KOL_ERR_MEMORY if there is no memory. */
kol_status body_walls_find(const struct body_set *s, const struct body_faces *f, struct box b, int c,
                           const unsigned char *open, const unsigned char *near, struct body_wall_face **list,
                           int *count);
kol_status body_closed_find(const struct body_set *s, const struct body_faces *f, struct box b, int c,
                            const unsigned char *open, struct body_closed_face **list, int *count);

/* body_walls_of: fills the entry of p, an open face of this rank, and returns how many of its neighbours are
 * closed. body_closed_is_read: returns whether p, a closed face, belongs to the list of closed faces. */
int body_walls_of(const struct body_set *s, const struct body_faces *f, struct box b,
                  const unsigned char *open, int c, const int p[3], struct body_wall_face *w);
int body_closed_is_read(struct box b, const unsigned char *open, const int p[3]);

#endif
