/* What changes when a body travels through the grid: cells whose faces open or close, and the momentum of
 * these faces. The lists are short: they have the cells near the surface of such bodies. All arrays are in
 * kernel memory. docs/numerics/bodies.md, "Bodies that travel". */
#ifndef KOL_BODY_TRAVEL_H
#define KOL_BODY_TRAVEL_H

#include "body_force.h"

KOL_BEGIN_C

/* body_mask_change: sets the bytes of n cells of a mask. No cell is twice in the list. */
kol_status body_mask_change(int n, const int *at, const unsigned char *value, unsigned char *open);

/* body_uncovered: a cell that has become live or dead. from: bits of the sides whose neighbour was live
 * before and is live now; 0: the cell is dead, or has no such neighbour. body_uncover: sets the pressure of
 * these cells to the mean of these neighbours, or to 0. p: one halo layer at the faces. No cell of the list
 * is such a neighbour of another one. */
struct body_uncovered {
    int at;
    unsigned char from;
};
kol_status body_uncover(struct box b, int n, const struct body_uncovered *cell, real *p);

/* body_turn: a face that has opened or closed. */
struct body_turn {
    int at;
    signed char d, closes;
};

/* body_forget: sets the right-hand sides of the faces that have opened to 0: they are those of a closed face.
 * old: of the three components. */
kol_status body_forget(int n, const struct body_turn *turn, real *const old[3]);

/* body_force_turns: adds to total the momentum of the fluid that goes with faces that have turned: of those
 * that have closed less those that have opened, along d, V (u + a_old old) and V u [U L^3].
 *
 *   start   the faces of segment n are number start[n] .. start[n + 1] - 1
 *   keep    0: first all BODY_FORCES numbers of each segment are set to 0
 *   base    velocity that the stage starts from [U]
 *   old     right-hand sides [U/T]; they are not read if a_old is 0 */
kol_status body_force_turns(struct box b, struct metrics m, int segments, const int *start,
                            const struct body_turn *turn, int keep, double a_old, real *const base[3],
                            real *const old[3], double *total);

KOL_END_C

#endif
