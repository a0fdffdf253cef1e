/* The lists of kernels/body.h in kernel memory, made from the geometry. They can be made again when bodies
 * travel: then they use the memory that they have, and take more only where it does not suffice. */
#ifndef KOL_BODIES_BODY_LISTS_H
#define KOL_BODIES_BODY_LISTS_H

#include "body_geometry.h"
#include "kernels/body.h"

/* kernel_room: kernel memory for a list whose length changes; `bytes` of it. kernel_room_fill: copies `bytes`
 * bytes there unless host is NULL. The first time it takes room for `least` bytes at least; later, if there
 * is not enough, for half as much again as is needed. */
struct kernel_room {
    void *at;
    size_t bytes;
};
kol_status kernel_room_fill(const struct domain *domain, struct kernel_room *room, const void *host,
                            size_t bytes, size_t least);

struct point_rooms {
    struct kernel_room point, wall, block, base;
};
/* fixed: the faces in bodies at rest whose surface turns, found once; NULL: not found yet. */
struct held_rooms {
    struct kernel_room at, value, block;
    struct held_face *fixed;
    int fixeds;
};

/* body_lists_points, body_lists_held: make the lists of component d. The values of base are not set. */
kol_status body_lists_points(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct point_rooms *r, struct body_points *out);
kol_status body_lists_held(const struct domain *domain, const struct body_geometry *geometry, int d,
                           struct held_rooms *r, struct body_held *out);
void body_lists_free(struct point_rooms *p, struct held_rooms *h);
/* body_lists_turn: returns whether the surface of a body turns about its axis. */
int body_lists_turn(const struct body_geometry *geometry);

#endif
