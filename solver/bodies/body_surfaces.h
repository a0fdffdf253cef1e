/* The surfaces of all bodies as lists in host memory, for body_forces.c. They are ordered by segments; a
 * segment is the part of one body in one block of sums. */
#ifndef KOL_BODIES_BODY_SURFACES_H
#define KOL_BODIES_BODY_SURFACES_H

#include "body_geometry.h"
#include "body_segments.h"
#include "kernels/body_travel.h"

/* surface_item: a link, a closed face, or a face that has opened or closed, with the key of its segment. */
struct surface_item {
    surface_key of;
    union {
        struct body_link link;
        struct body_front front;
        struct body_turn turn;
    };
};
struct surface_items {
    struct surface_item *item;
    int n, room;
};

/* body_surfaces: the three lists, ordered by segments. In each list, segment s has the items
 * start[list][s] .. start[list][s + 1] - 1; its key is keys[s]. Set the struct to zeros before the first
 * body_surfaces_make(). */
enum { SURFACE_LINKS, SURFACE_FRONTS, SURFACE_TURNS, SURFACE_LISTS };
struct body_surfaces {
    struct surface_items links, fronts, turns;
    surface_key *keys;
    int segments, *start[SURFACE_LISTS];
};

/* body_surfaces_make: makes the lists. The first call finds the segments. Later calls, after bodies have
 * travelled, keep the segments. Faces that have opened or closed come from geometry->travellers. */
kol_status body_surfaces_make(const struct domain *domain, const struct body_geometry *geometry,
                              struct body_surfaces *s);
void body_surfaces_free(struct body_surfaces *s);
/* body_surfaces_count: counts the links of this rank, and the live sides of its closed faces. */
void body_surfaces_count(const struct domain *domain, const struct body_geometry *geometry, double *links,
                         double *sides);

#endif
