/* The points of surface data on rank 0, and how the values of kernels/body_stress.h become pressure and shear
 * at them. docs/numerics/bodies.md, "Surface data". */
#ifndef KOL_BODIES_SURFACE_POINTS_H
#define KOL_BODIES_SURFACE_POINTS_H

#include "body_geometry.h"
#include "body_surfaces.h"

/* surface_term: what a value contributes to a point. component: 0, 1, 2 are those of the shear, and
 * SURFACE_PRESSURE is the pressure. */
enum { SURFACE_PRESSURE = 3 };
struct surface_term {
    int point, component;
    int value; /* number among the values of all ranks */
    double factor;
    long long order; /* terms of a point are added in this order */
};

/* surface_points: a point is a closed face together with the live cell on one side of it. Points are ordered
 * by body, then by face. All arrays are on rank 0; on other ranks there are no points.
 *
 *   position   where the grid line from the centre of the face into the live cell leaves the solid, or
 *              another place of the surface nearby [L]
 *   normal     of the surface there, out of the solid
 *   area       vector out of the solid, of the size of the face [L^2]; 0 at points with shear alone
 *   face_area  size of the face [L^2]
 *   weight     part of the surface that the point stands for: the scalar product of area and normal [L^2]. It
 *              is negative if the cell lies between two closed faces, whose weights nearly cancel
 *   body       number of the body, from 1 on
 *   slot       the values of live cells and of links in an order that does not depend on the ranks; slots is
 *              their number, known to all ranks
 *   count, first   numbers of values of each rank, and those before it */
struct surface_points {
    int points, terms, slots;
    double *position, *normal, *area, *face_area, *weight, *body;
    struct surface_term *term;
    int *slot, *count, *first;
    double *values; /* of all ranks */
};

/* surface_sizes: of the surface data that the input asks for. file: of one time; host: memory that rank 0
 * holds [bytes]. Both are 0 without surface data. surface_points_sizes: finds them. Collective. */
struct surface_sizes {
    double file, host;
};
kol_status surface_points_sizes(const struct domain *domain, const struct body_geometry *geometry,
                                struct surface_sizes *out);

/* surface_normal: finds the normal of the surface at the place for which a closed face of component d stands,
 * as seen from the live cell beside it. face: local indices of the face; side: 1 if the cell lies
 * above it, 0 if below. */
void surface_normal(const struct domain *domain, const struct body_geometry *geometry, int d,
                    const int face[3], int side, double normal[3]);
/* surface_points_create: finds the points of all bodies. Collective. */
kol_status surface_points_create(const struct domain *domain, const struct body_geometry *geometry,
                                 const struct body_surfaces *surfaces, struct surface_points *out);
/* surface_points_free: frees what is inside; it accepts a zeroed struct. */
void surface_points_free(struct surface_points *p);
/* surface_points_gather: brings the values of this rank to p->values on rank 0. surface_points_scatter: hands
 * them back. Collective. */
kol_status surface_points_gather(const struct domain *domain, struct surface_points *p, const double *own,
                                 int n);
kol_status surface_points_scatter(const struct domain *domain, const struct surface_points *p, double *own,
                                  int n);
/* surface_points_fill: computes, on rank 0, the pressure [U^2] and the three components of the shear [U^2] at
 * each point from p->values, which were added up over `duration` [T]. */
void surface_points_fill(const struct surface_points *p, double duration, double *pressure, double *shear);

#endif
