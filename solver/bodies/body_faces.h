/* The centres of the faces of cells, for the geometry of bodies: coordinates from global indices alone. */
#ifndef KOL_BODIES_BODY_FACES_H
#define KOL_BODIES_BODY_FACES_H

#include "state/domain.h"

enum { BODY_RIM = KOL_HALO + 1 };

/* body_faces: coordinates of this rank's centres and faces, for local indices -KOL_HALO .. n + KOL_HALO, and
 * the distances between them. In periodic directions, cells of the halo have the coordinates of the own cells
 * that they are images of. Beyond other boundaries the grid is mirrored.
 *
 *   x[f][d] + BODY_RIM    f = 0: coordinates of centres; f = 1: of lower faces
 *   link[f][d]+BODY_RIM   distance between points i - 1 and i, of centres or of faces */
struct body_faces {
    double *x[2][3], *link[2][3];
    int n[3], offset[3], n_g[3], periodic[3];
};
kol_status body_faces_create(const struct domain *domain, struct body_faces *out);
void body_faces_destroy(struct body_faces *f);

/* body_faces_coordinate: returns the coordinate of a global centre or lower face, as above, for any index. */
double body_faces_coordinate(const struct grid *g, int d, int i, int face);

/* body_face_place: returns the coordinate of point i in direction d of velocity component c. body_face_link:
 * returns the distance from this point to the next one on side 0 or 1. */
double body_face_place(const struct body_faces *f, int c, int d, int i);
double body_face_link(const struct body_faces *f, int c, int d, int i, int side);
/* body_face_beyond: returns whether point i in direction d of component c lies on or beyond a boundary that
 * is not periodic, where the velocity is no unknown. */
int body_face_beyond(const struct body_faces *f, int c, int d, int i);

#endif
