/* The geometry of the bodies on the grid: which faces of cells are open, where the walls next to open faces
 * are, and what the bodies are. Everything lies in host memory and depends on global coordinates alone, so
 * that it is the same on any number of ranks. docs/numerics/bodies.md. */
#ifndef KOL_BODIES_BODY_GEOMETRY_H
#define KOL_BODIES_BODY_GEOMETRY_H

#include "body_thin.h"
#include "body_walls.h"
#include "state/domain.h"

/* body_info: what a body is, for the log and for files. */
struct body_info {
    char text[160];      /* for example "sphere, diameter 0.5, centre 1, 1, 1" */
    double centre[3];    /* where it is now, less whole periods that it has travelled [L] */
    double home[3];      /* its centre in the input [L] */
    double moved[3];     /* how far it is from there [L] */
    double velocity[3];  /* with which it travels [U] */
    double angular[3];   /* angular velocity about its centre [rad/T] */
    double volume, area; /* of the shape alone [L^3], [L^2]; HUGE_VAL if it has no end */
    double thickness;    /* the smallest diameter of the shape [L]; HUGE_VAL for a half space */
    double axis[3];      /* unit vector */
    double rotation;     /* about this axis, of a surface that turns in place [rad/T] */
};

/* body_geometry: see above.
 *
 *   open      host memory, one byte for each cell of the grid's box, halo included. Bit f = 2 * direction +
 *             side is set if face f of the cell is open: the centre of the face lies outside all bodies. A
 *             face whose centre lies on a surface is closed. If no bit is set, the cell is dead. Beyond
 *             boundaries that are not periodic, the grid is mirrored, but the bodies are not: they go on
 *             there. The faces on these boundaries are open or closed by the geometry alone.
 *   wall      for each component: the open faces next to closed ones that this rank owns, ordered by k, j, i.
 *             The faces on boundaries of the domain are not among them. A neighbour beyond such a boundary
 *             counts as open: the boundary condition deals with it.
 *   closed    for each component: the closed faces as above that this rank owns, ordered by k, j, i. The
 *             faces on an upper boundary that is not periodic, at index n, belong to the last rank. */
struct body_geometry {
    unsigned char *open;
    struct body_wall_face *wall[3];
    int walls[3];
    struct body_closed_face *closed[3];
    int closeds[3];
    struct body_info *body;
    int bodies;
    long long live_cells;    /* of the whole grid */
    long long *closed_faces; /* of the whole grid: how many face centres belong to each body */
    struct body_thin thin;   /* of the whole grid */
    /* Hash of the mask, of the distances of the walls and of motions from files: an integer of at least 1
     * that a double can hold. It is the same on any number of ranks. Distances enter in steps of a thousandth
     * of the distance to the neighbour, so that rounding errors do not change the hash. */
    double hash;
    struct body_set *set; /* the shapes; private */
    /* Bodies that travel, once travellers_create() has taken them out of the mask and the lists; NULL: there
     * are none, or they have not been taken out. Destroy them first. */
    struct travellers *travellers;
};

/* body_geometry_create: makes the geometry of the bodies that domain->in describes. If there are none,
 * *out is NULL. domain is borrowed. It needs only in, source, comm, decomp and grid of it. KOL_ERR_INPUT on
 * all ranks if the inputs can't be used. Collective. */
kol_status body_geometry_create(const struct domain *domain, struct body_geometry **out);
/* body_geometry_create_at: makes the geometry at a time t, without the bodies that have vanished by then. All
 * bodies keep their numbers. *out is NULL if no bodies are left. Collective. */
kol_status body_geometry_create_at(const struct domain *domain, double t, struct body_geometry **out);
/* body_geometry_destroy: frees it; it accepts a pointer to NULL. */
void body_geometry_destroy(struct body_geometry **g);
/* body_geometry_at: returns the number of the body that contains x, a point in the cells of this rank; -1 if
 * the point lies in the fluid. */
int body_geometry_at(const struct body_geometry *g, const double x[3]);
/* body_geometry_velocity: finds the velocity of a body at a point x of it [U]. */
void body_geometry_velocity(const struct body_geometry *g, int body, const double x[3], double u[3]);
/* body_geometry_place: sets where the bodies are, and how fast, at a time t. It does not change the mask and
 * the lists. KOL_ERR_MEMORY if there is no memory. */
kol_status body_geometry_place(const struct domain *domain, struct body_geometry *g, double t);

#endif
