/* The viscous term of an open face beside a body, from the distances of the walls along the grid lines.
 * docs/numerics/bodies.md, "Wall distance". */
#ifndef KOL_BODIES_WALL_TERMS_H
#define KOL_BODIES_WALL_TERMS_H

#include "body_geometry.h"

/* wall_terms: the members of struct body_point (kernels/body.h) in double precision, and what they consist
 * of.
 *
 *   drag, wall     coefficient of the implicit part [1/T]; velocity to which it brings the fluid [U]
 *   half           weight of the open neighbour in the explicit part, for each direction [1/T]
 *   closed         bits of the sides whose neighbour is closed
 *   mirror         bits of the sides whose wall is mirrored
 *   rest           what the explicit part subtracts [U/T]
 *
 * and for each side:
 *
 *   lead           what the explicit part adds because the wall is faster than the closed neighbour behind it
 *                  [U/T]; `rest` contains it with a minus sign
 *   share          the part of `drag` that belongs to the wall; all parts add up to 1
 *   speed          velocity of the wall along the component [U]
 *   at             coordinate of the wall [L] */
struct wall_terms {
    double drag, wall, rest;
    double half[3];
    unsigned closed, mirror;
    double share[6], speed[6], lead[6], at[6][3];
};

/* wall_terms_of: computes the terms of a face of component d. */
struct wall_terms wall_terms_of(const struct domain *domain, const struct body_geometry *geometry, int d,
                                const struct body_wall_face *face);

/* block_order: orders n cells of this rank by the block of sums in which they lie. Cells of one block keep
 * their order. KOL_ERR_MEMORY if there is no memory.
 *
 *   cell    cell i begins at cell + i * stride bytes with its three local indices
 *   place   out: the new number of each cell
 *   start   out: start[q] is the first number in block q of this rank, start[blocks] is n */
kol_status block_order(const struct decomp *decomp, const void *cell, int n, size_t stride, int *place,
                       int *start);
/* block_count: returns the number of blocks of this rank. block_number: returns the one in which a local cell
 * lies. */
int block_count(const struct decomp *d);
int block_number(const struct decomp *d, const int cell[3]);

#endif
