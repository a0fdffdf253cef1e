/* The lists of kernels/body.h in kernel memory, made from the geometry. When bodies travel, the lists are
 * made again in the same memory; more is allocated only if it does not suffice. */
#ifndef KOL_BODIES_BODY_LISTS_H
#define KOL_BODIES_BODY_LISTS_H

#include "body_geometry.h"
#include "kernels/body.h"

/* kernel_room: kernel memory for a list whose length changes. bytes: its size.
 *
 * kernel_room_fill: copies `bytes` bytes from host into it; nothing is copied if host is NULL. The first call
 * allocates at least `least` bytes. If a later call needs more than there is, the memory is replaced by 1.5
 * times what the call needs. */
struct kernel_room {
    void *at;
    size_t bytes;
};
kol_status kernel_room_fill(const struct domain *domain, struct kernel_room *room, const void *host,
                            size_t bytes, size_t least);

struct point_rooms {
    struct kernel_room point, wall, block, base, lead;
};
/* fixed: the closed faces of bodies that stay in their place while their surface turns. They are found once;
 * NULL if they have not been found yet. */
struct held_rooms {
    struct kernel_room at, value, base, block;
    struct held_face *fixed;
    int fixeds;
};

/* body_lists_points, body_lists_held: make the lists of component d. The values of base and lead are not set.
 * lead is there only where stages may solve for increments of the pressure. */
kol_status body_lists_points(const struct domain *domain, const struct body_geometry *geometry, int d,
                             struct point_rooms *r, struct body_points *out);
kol_status body_lists_held(const struct domain *domain, const struct body_geometry *geometry, int d,
                           struct held_rooms *r, struct body_held *out);
void body_lists_free(struct point_rooms *p, struct held_rooms *h);
/* body_lists_turn: returns whether the surface of a body turns about its axis. */
int body_lists_turn(const struct body_geometry *geometry);

#endif
