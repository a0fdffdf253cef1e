/* Open faces: the planes of velocity on inflows and outflows, stage by stage, with mass balanced over all of
 * them. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_OPEN_FACES_H
#define KOL_BOUNDARY_OPEN_FACES_H

#include "inflow_planes.h"
#include "inflow_turbulence.h"
#include "io/view.h"
#include "kernels/open.h"
#include "state/flow.h"

/* open_side: one face. Planes in kernel memory, of ranks that touch the face: now; at the start of the step;
 * of an outflow with rk3-wray the rate of the stage before; of an inflow its velocity without turbulence; the
 * pressure of the step. */
struct open_faces_side {
    int open, inflow, outflow; /* what the face is: inputs/face_kinds.h */
    int here;                  /* whether this rank's box touches it */
    real *now, *start, *old, *steady, *impulse;
    struct inflow_turbulence *turbulence; /* NULL: none */
    struct inflow_planes *planes;         /* in time; NULL: none */
    real *packed;                         /* host: `now` of an outflow for files, three values a place */
    double area;                          /* [L^2] */
    double flux;                          /* outward [U L^2] */
};
/* open_faces: NULL in struct run where no face is open. The sums are those of the end of the step: of the
 * volume, over it. */
struct open_faces {
    struct open_faces_side side[FACES];
    struct inflow *inflow;
    double *rows;         /* kernel memory: sums of pieces of rows */
    double *h_rows;       /* host copy */
    double *parts;        /* sums of blocks of all faces */
    real *h_plane;        /* host: this rank's part of a plane */
    double in, out;       /* fluxes through inflows, into the box, and through outflows [U L^2] */
    double convection;    /* kinetic energy carried in by the fluid, over the volume [U^2/T] */
    double pressure_work; /* of the pressure on the open faces over the step, over the volume [U^2/T] */
    double kinetic, kinetic_before; /* energy of the points on the faces, over the volume [U^2] */
    double speed;                   /* largest on the planes [U] */
};

/* open_faces_create: memory, files of inflows; domain->walls gets the planes. open_faces_destroy takes NULL.
 * Collective. */
kol_status open_faces_create(struct flow *flow, struct walls *walls);
void open_faces_destroy(struct open_faces **open);
/* open_faces_begin: planes of the initial flow, which is in the own points of flow->vel: outflows as if
 * nothing changed across them; mass is balanced. Collective. */
kol_status open_faces_begin(struct flow *flow);
/* open_faces_stage: planes of stage m from the velocity of the stage before, flow->vel, whose halo is filled.
 * open_faces_pressure: takes the pressure of stage m into the step's work. open_faces_look_at: sums of the
 * velocity and the planes as they are. Collective. All do nothing where flow->open is NULL. */
kol_status open_faces_stage(struct flow *flow, int m);
kol_status open_faces_pressure(struct flow *flow, int m);
kol_status open_faces_look_at(struct flow *flow);
/* open_faces_work: what the pressure brings through the open faces over the last step, and what the energy of
 * the points on them gained, over the volume [U^2/T]. */
double open_faces_work(const struct flow *flow);
/* open_faces_speed: largest speed that open faces bring [U]; open_faces_along: the same of component c, from
 * the inputs alone. open_faces_courant: the given velocity of outflows over the width of the cells beside
 * them [1/T]; 0: none is given. */
double open_faces_speed(const struct flow *flow);
double open_faces_along(const struct flow *flow, int c);
double open_faces_courant(const struct domain *domain);

/* For checkpoints: open_faces_stored: bits of faces whose planes are state. open_faces_take: host
 * copies of those planes. open_faces_view: the view of one, data = its host copy. open_faces_known: the
 * planes of inflows, and those of outflows in `stored` from their host copies. open_faces_restore: then, with
 * the velocity there, the other outflows as in open_faces_begin; changed: planes are others than those of the
 * file, by its boundaries or its grid, so that mass is balanced anew. Collective but for open_faces_take and
 * open_faces_view. */
unsigned open_faces_stored(const struct flow *flow);
kol_status open_faces_take(struct flow *flow);
struct io_view open_faces_view(const struct flow *flow, int face);
kol_status open_faces_known(struct flow *flow, unsigned stored);
kol_status open_faces_restore(struct flow *flow, unsigned stored, int changed);
/* From another grid: open_faces_give: the host copy of an outflow's plane from the whole plane, in the order
 * of files. open_faces_normal: the velocity through an open face, the first direction along it fastest, on
 * all ranks; after open_faces_known. Collective. */
void open_faces_give(struct flow *flow, int face, const double *whole);
kol_status open_faces_normal(struct flow *flow, int face, double *whole);

#endif
