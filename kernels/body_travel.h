/* What changes when a body travels through the grid: cells whose faces open or close, and the momentum of
 * these faces. The lists are short, because they have only cells near the surface of such bodies. All arrays
 * are in kernel memory. docs/numerics/bodies.md, "Bodies that travel". */
#ifndef KOL_BODY_TRAVEL_H
#define KOL_BODY_TRAVEL_H

#include "body_force.h"

KOL_BEGIN_C

/* body_mask_change: sets the bytes of n cells of a mask. No cell is twice in the list. */
kol_status body_mask_change(int n, const int *at, const unsigned char *value, unsigned char *open);

/* body_uncovered: a cell that has become live or dead. from: bits of the sides whose neighbour was live
 * before and still is; 0 if the cell is dead or has no such neighbour.
 *
 * body_uncover: sets the pressure of these cells to the mean of those neighbours, or to 0 if there are none.
 * No cell of the list is such a neighbour of another one. p: one halo layer at the faces. */
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

/* body_turns: such faces of all components. Faces block[q] .. block[q + 1] - 1 lie in block q of a rank. */
struct body_turns {
    int n;
    const struct body_turn *turn;
    const int *block;
};

/* body_forget: sets the right-hand sides of the faces that have opened to 0, because they were computed while
 * the face was closed. old: the right-hand sides of the three components. */
kol_status body_forget(int n, const struct body_turn *turn, real *const old[3]);

/* body_force_turns: adds to total the momentum that the fluid loses at faces that have opened or closed
 * [U L^3]. A face that has closed counts V (u + a_old old) along its direction d; one that has opened counts
 * -V u.
 *
 *   start   segment n has the faces start[n] .. start[n + 1] - 1
 *   keep    if it is 0, all BODY_FORCES numbers of each segment are first set to 0
 *   base    velocity that the stage starts from [U]
 *   old     right-hand sides [U/T]; they are not read if a_old is 0 */
kol_status body_force_turns(struct box b, struct metrics m, int segments, const int *start,
                            const struct body_turn *turn, int keep, double a_old, real *const base[3],
                            real *const old[3], double *total);

KOL_END_C

#endif
