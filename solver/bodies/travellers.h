/* Bodies that travel through the grid: which faces they close at a time, and the lists of body_geometry.h
 * that follow. What is computed grows with the boxes round these bodies, not with the grid. All of it lies
 * in host memory and depends on global coordinates and on the time alone. docs/numerics/bodies.md, "Bodies
 * that travel". */
#ifndef KOL_BODIES_TRAVELLERS_H
#define KOL_BODIES_TRAVELLERS_H

#include "body_geometry.h"

/* traveller_faces: the faces of one component that these bodies close, halo included, by rising `at`.
 *
 *   at     index of the face in a field
 *   cell   local indices of the cell whose lower face it is */
struct traveller_face {
    ptrdiff_t at;
    int cell[3], body;
};
struct traveller_faces {
    struct traveller_face *face;
    int n, room;
};

/* traveller_change: a cell whose byte in the mask has changed. own: whether it is not in the halo. */
struct traveller_change {
    ptrdiff_t at;
    int cell[3], own;
    unsigned char was, is;
};

/* traveller_turn: an own face that has opened (closes = 0) or closed. body: to which it belonged or belongs.
 * */
struct traveller_turn {
    ptrdiff_t at;
    int cell[3], body, d, closes;
};

/* travellers: in struct body_geometry.
 *
 *   now, before, start   faces closed now, before the last travellers_move(), and at travellers_begin()
 *   fixed_walls, fixed_closeds   the first entries in wall and closed of the geometry, those of bodies at
 *                                rest
 *   most_walls, most_held        open faces beside these bodies and closed faces in them, of all ranks at
 *                                time 0: about as many may come to one rank
 *   change   what the last travellers_move() changed in the mask */
struct travellers {
    struct body_faces grid;
    struct traveller_faces now[3], before[3], start[3];
    int fixed_walls[3], fixed_closeds[3], wall_room[3], closed_room[3], most_walls[3], most_held[3];
    struct traveller_change *change;
    int changes, change_room;
    struct traveller_turn *turn;
    int turns, turn_room;
    int *index[3], *owner; /* to work in */
    double *x, *depth;
};

/* travellers_create: if bodies travel, takes them out of the mask and the lists of a geometry, so that these
 * are those of the bodies at rest. Collective. */
kol_status travellers_create(const struct domain *domain, struct body_geometry *g);
void travellers_destroy(struct travellers **t);
/* travellers_has: returns whether a body travels. */
int travellers_has(const struct body_geometry *g, int body);
/* travellers_move: takes these bodies to their places at time t, and updates the mask and the lists.
 * KOL_ERR_INPUT if they come too close to something; not on all ranks. */
kol_status travellers_move(const struct domain *domain, struct body_geometry *g, double t);
/* travellers_begin: remembers the closed faces of now as those of the start of a step. */
kol_status travellers_begin(struct travellers *t);
/* travellers_turns: makes the list t->turn of the own faces that have turned since the last
 * travellers_move(), or since travellers_begin(), ordered by component and `at`. */
kol_status travellers_turns(struct travellers *t, int since_begin);

#endif
