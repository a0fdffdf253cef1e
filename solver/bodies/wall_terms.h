/* The viscous term of an open face beside a body, from the distances of the walls along the grid lines.
 * docs/numerics/bodies.md, "Wall distance". */
#ifndef KOL_BODIES_WALL_TERMS_H
#define KOL_BODIES_WALL_TERMS_H

#include "body_geometry.h"

/* wall_terms: the members of struct body_point (kernels/body.h) in double precision.
 *
 *   drag, wall     the implicit part, and the velocity that it leads to [1/T], [U]
 *   half           weight of the neighbour that the explicit part reads, by direction [1/T]
 *   closed         bits of the sides whose neighbour is closed
 *   mirror         bits of the sides whose wall is mirrored
 *   rest           what the explicit part subtracts [U/T]
 *   lead           the part of it, with the other sign, by which a wall is faster than the closed neighbour
 *                  behind it, on each side [U/T]
 *   share          the part of `drag` that belongs to the wall on each side; they add up to 1
 *   speed          velocity of the wall on each side along the component [U]
 *   at             the place of the wall on each side [L] */
struct wall_terms {
    double drag, wall, rest;
    double half[3];
    unsigned closed, mirror;
    double share[6], speed[6], lead[6], at[6][3];
};

/* wall_terms_of: computes the terms of a face of component d. */
struct wall_terms wall_terms_of(const struct domain *domain, const struct body_geometry *geometry, int d,
                                const struct body_wall_face *face);

/* block_order: orders n cells of this rank by the block of sums in which they lie, and otherwise leaves their
 * order. Cell i begins at cell + i * stride bytes, with its three local indices. place[i] is its new number.
 * start[q] is the first number in block q of this rank, and start[blocks] is n. KOL_ERR_MEMORY if there is no
 * memory. */
kol_status block_order(const struct decomp *decomp, const void *cell, int n, size_t stride, int *place,
                       int *start);
/* block_count: returns the number of blocks of this rank. block_number: returns the one in which a local cell
 * lies. */
int block_count(const struct decomp *d);
int block_number(const struct decomp *d, const int cell[3]);

#endif
