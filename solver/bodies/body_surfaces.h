/* The surfaces of all bodies by segments: the part of one body in one block of sums. Lists in host memory,
 * for body_forces.c. */
#ifndef KOL_BODIES_BODY_SURFACES_H
#define KOL_BODIES_BODY_SURFACES_H

#include "body_geometry.h"
#include "kernels/body_travel.h"

/* surface_key: place of a segment in the order of sums: by body, then by block of the whole grid. */
typedef long long surface_key;

/* surface_item: a link, a closed face, or a face that has turned, with the key of its segment. number: keeps
 * the order of equal keys. */
struct surface_item {
    surface_key of;
    int number;
    struct body_link link;
    struct body_front front;
    struct body_turn turn;
};
struct surface_items {
    struct surface_item *item;
    int n, room;
};

/* body_surfaces: the three lists, ordered by segments. start[list][s] .. start[list][s + 1] - 1 are those of
 * segment s, whose key is keys[s]. Set it to zeros before the first body_surfaces_make(). */
enum { SURFACE_LINKS, SURFACE_FRONTS, SURFACE_TURNS, SURFACE_LISTS };
struct body_surfaces {
    struct surface_items links, fronts, turns;
    surface_key *keys;
    int segments, *start[SURFACE_LISTS];
};

/* body_surfaces_make: makes the lists. The first call sets the segments; a later one, after bodies have
 * travelled, leaves them. The turns are those of geometry->travellers. */
kol_status body_surfaces_make(const struct domain *domain, const struct body_geometry *geometry,
                              struct body_surfaces *s);
void body_surfaces_free(struct body_surfaces *s);

#endif
