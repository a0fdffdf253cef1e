/* Bodies that travel through the grid: which faces they close at a time, and the lists of body_geometry.h
 * that follow from this. The work grows with the size of boxes round these bodies, not with the grid. All
 * data lie in host memory; they depend on global coordinates and on the time alone. docs/numerics/bodies.md,
 * "Bodies that travel". */
#ifndef KOL_BODIES_TRAVELLERS_H
#define KOL_BODIES_TRAVELLERS_H

#include "body_geometry.h"

/* traveller_faces: the faces of one component that these bodies close, those in the halo included, in the
 * order of `at`.
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

/* traveller_turn: an own face that has opened (closes = 0) or closed (closes = 1). body: the body that closed
 * it before, or closes it now. */
struct traveller_turn {
    ptrdiff_t at;
    int cell[3], body, d, closes;
};

/* travellers: the bodies of a geometry that travel.
 *
 *   now, before, start   faces that are closed now, before the last travellers_move(), and at
 *                        travellers_begin()
 *   fixed_walls, fixed_closeds   numbers of entries of bodies at rest. They stand first in the lists wall and
 *                                closed of the geometry
 *   most_walls, most_held        numbers of open faces beside these bodies, and of closed faces in them, on
 *                                all ranks together at time 0: one rank may come to hold about as many
 *   change   what the last travellers_move() changed in the mask
 *   moved    whether travellers_move() has put them to their places */
struct travellers {
    struct body_faces grid;
    struct traveller_faces now[3], before[3], start[3];
    int fixed_walls[3], fixed_closeds[3], wall_room[3], closed_room[3], most_walls[3], most_held[3];
    struct traveller_change *change;
    int changes, change_room;
    struct traveller_turn *turn;
    int turns, turn_room;
    int moved;
    int *index[3], *owner; /* to work in */
    double *x, *depth;
};

/* travellers_create: takes the bodies that travel out of the mask and the lists of a geometry, which then
 * have the bodies at rest alone. If no body travels, nothing is done. Collective. */
kol_status travellers_create(const struct domain *domain, struct body_geometry *g);
void travellers_destroy(struct travellers **t);
/* travellers_has: returns whether a body travels. */
int travellers_has(const struct body_geometry *g, int body);
/* travellers_move: moves these bodies to where they are at time t, and updates the mask and the lists.
 * Returns, not on all ranks, KOL_ERR_NUMERICAL if they come too close to another body or a wall, and
 * KOL_ERR_INPUT if they do so at the first call. */
kol_status travellers_move(const struct domain *domain, struct body_geometry *g, double t);
/* travellers_begin: stores which faces are closed now, at the start of a step. */
kol_status travellers_begin(struct travellers *t);
/* travellers_turns: makes the list t->turn of the own faces that have opened or closed in the last
 * travellers_move(), or since travellers_begin(). The list is ordered by component and `at`. */
kol_status travellers_turns(struct travellers *t, int since_begin);

#endif
