/* Cells beside bodies that hold the value of a scalar or give a flux, and what enters them from the surface,
 * in host memory. docs/numerics/scalars.md, "Bodies with a value". */
#ifndef KOL_BODIES_CELL_WALLS_H
#define KOL_BODIES_CELL_WALLS_H

#include "body_geometry.h"
#include "inputs/bodies.h"

/* held_values: the condition of one scalar on each body. The bodies that have no entry of their own in the
 * input are all alike: they have the last element. fluxes: whether these are fluxes; then no body holds it.
 *
 * held_values_of: finds the conditions of scalar n. held_by: returns whether the scalar has a value on a
 * body; body -1, the fluid, has none. held_value: returns this value. */
struct held_values {
    unsigned char holds[BODIES_MOST + 1];
    double value[BODIES_MOST + 1];
    int fluxes;
};
struct held_values held_values_of(const struct input *in, int n);
int held_by(const struct held_values *v, int body);
double held_value(const struct held_values *v, int body);

/* cell_owners_find: finds the bodies in which the centres of cells lie, for own cells and one layer of the
 * halo: (*owner)[at(box, i, j, k)], -1 in the fluid. The caller frees *owner, also after a fault.
 * KOL_ERR_MEMORY if there is no memory. */
kol_status cell_owners_find(const struct domain *domain, const struct body_geometry *g, int **owner);

/* cell_wall: a cell with links to bodies that hold the value of a scalar: the members of struct scalar_link
 * (kernels/scalar_wall.h) in double precision. body: the body of each link, whose value it has. */
struct cell_wall {
    int cell[3], links;
    struct cell_link {
        double drag, half, mirror, gives;
        int body, side, open;
    } link[FACES];
};

/* cell_walls_find: makes the list of these cells of this rank, ordered by k, j, i. If the bodies give fluxes,
 * these are the cells with closed faces. The caller frees *list,
 * also after a fault. KOL_ERR_MEMORY if there is no memory. */
kol_status cell_walls_find(const struct domain *domain, const struct body_geometry *g, const int *owner,
                           const struct held_values *v, struct cell_wall **list, int *count);

#endif
