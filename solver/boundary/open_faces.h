/* Open faces: the planes of velocity on inflows and outflows, stage by stage, with mass balanced over all of
 * them. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_OPEN_FACES_H
#define KOL_BOUNDARY_OPEN_FACES_H

#include "inflow_planes.h"
#include "inflow_turbulence.h"
#include "io/view.h"
#include "kernels/open_face.h"
#include "state/flow.h"

/* open_faces_side: one face. Its planes lie in kernel memory, on the ranks that touch the face; elsewhere
 * they are NULL.
 *
 *   now       the present velocity [U]
 *   start     the velocity at the start of the step [U]
 *   old       only outflows, used with rk3-wray: the rate of change in the stage before [U/T]
 *   steady    only inflows: the velocity without turbulence [U]
 *   impulse   the mean pressure over the step [U^2] */
struct open_faces_side {
    int open, inflow, outflow; /* what the face is: inputs/face_kinds.h */
    int here;                  /* whether this rank's box touches it */
    real *now, *start, *old, *steady, *impulse;
    struct inflow_turbulence *turbulence; /* NULL: the inflow has none */
    struct inflow_planes *planes;         /* of a file; NULL: the face has no file */
    real *packed;                         /* host: `now` of an outflow as in files, three values a place */
    double area;                          /* [L^2] */
    double flux;                          /* outward [U L^2] */
};

/* open_faces: all open faces; flow->open, which is NULL if no face is open. The numbers are those of the end
 * of the step. */
struct open_faces {
    struct open_faces_side side[FACES];
    struct inflow *inflow;
    double *rows;         /* kernel memory: sums of pieces of rows */
    double *h_rows;       /* host copy */
    double *parts;        /* sums of blocks of all faces */
    real *h_plane;        /* host: this rank's part of a plane */
    double in, out;       /* fluxes through inflows, into the box, and through outflows [U L^2] */
    double convection;    /* kinetic energy that the fluid carries in, divided by the volume [U^2/T] */
    double pressure_work; /* of the pressure on the faces during the step, divided by the volume [U^2/T] */
    double kinetic, kinetic_before; /* energy of the points on the faces, divided by the volume [U^2] */
    double speed;                   /* the largest on the planes [U] */
};

/* open_faces_create: sets flow->open: allocates its memory and reads the files of inflows. walls->plane gets
 * the planes; walls is that of the domain. flow->inflow_speed and flow->inflow_mean are set. If no face is
 * open, nothing is done. Collective. */
kol_status open_faces_create(struct flow *flow, struct walls *walls);

/* open_faces_destroy: frees it and sets the pointer to NULL. *open may be NULL. */
void open_faces_destroy(struct open_faces **open);

/* The next four functions do nothing if flow->open is NULL.
 *
 * open_faces_begin: fills the planes for the initial flow in flow->vel, whose halos need not be filled.
 * Outflows have zero gradient across the face. Then mass is balanced. Collective. */
kol_status open_faces_begin(struct flow *flow);
/* open_faces_stage: advances the planes to the end of stage m and balances mass. flow->vel is the velocity
 * before the stage, its halo filled. Collective. */
kol_status open_faces_stage(struct flow *flow, int m);
/* open_faces_pressure: adds the pressure of stage m, flow->pressure.p, with its weight to the `impulse` of
 * each face. */
kol_status open_faces_pressure(struct flow *flow, int m);
/* open_faces_look_at: computes the fluxes, the energies and the speed in struct open_faces from flow->vel
 * and the present planes. Collective. */
kol_status open_faces_look_at(struct flow *flow);

/* open_faces_work: returns the power of the pressure on the open faces during the last step plus the rate
 * at which the kinetic energy of the points on them grew, divided by the volume [U^2/T]. 0 before the first
 * step. flow->open must not be NULL. */
double open_faces_work(const struct flow *flow);
/* open_faces_speed: returns the largest speed on the open faces at the end of the step [U]; 0 if no face is
 * open. */
double open_faces_speed(const struct flow *flow);
/* open_faces_along: returns the largest |component c| that the inputs ask for at inflows and outflows [U]. */
double open_faces_along(const struct flow *flow, int c);
/* open_faces_courant: returns boundary.outflow_velocity over the width of the cells beside an outflow, the
 * largest of all outflows [1/T]. 0 if there is no outflow or the velocity is not given. */
double open_faces_courant(const struct domain *domain);

/* For checkpoints. The planes of outflows are part of the state of the flow; those of inflows follow from
 * the inputs. To restore: fill the host copies, call open_faces_known(), restore the velocity, call
 * open_faces_restore().
 *
 * open_faces_stored: returns the faces whose planes a checkpoint keeps, one bit a face. */
unsigned open_faces_stored(const struct flow *flow);
/* open_faces_plane_name: returns the name that the plane of a face has in checkpoints. */
const char *open_faces_plane_name(int face);
/* open_faces_take: copies those planes to the host. Local. */
kol_status open_faces_take(struct flow *flow);
/* open_faces_view: returns the view of one plane for files; its data are the host copy, borrowed. Local. */
struct io_view open_faces_view(const struct flow *flow, int face);
/* open_faces_known: fills the planes of inflows with the velocity at flow->clock.t, and the planes of the
 * outflows in `stored` from their host copies. If arrays are only counted (state/pool.h), only the array of
 * the pool that the function uses is counted. Otherwise it is collective. */
kol_status open_faces_known(struct flow *flow, unsigned stored);
/* open_faces_count: counts the host memory that a rank takes in open_faces_known(). */
kol_status open_faces_count(struct memory *memory, const struct domain *domain);
/* open_faces_restore: fills the planes of the outflows that are not in `stored` from flow->vel, as
 * open_faces_begin() does. changed: whether the boundaries or the grid differ from those of the file, so
 * that the planes differ, too. If there are such outflows, or if `changed` is set, mass is balanced again.
 * Collective. */
kol_status open_faces_restore(struct flow *flow, unsigned stored, int changed);

/* For a restart from another grid. A whole plane has n_a * n_b places, the first direction along the face
 * fastest.
 *
 * open_faces_give: sets this rank's host copy of an outflow's plane from `whole`, three values a place.
 * Local. */
void open_faces_give(struct flow *flow, int face, const double *whole);
/* open_faces_normal: writes the velocity component through an open face to `whole`, one value a place, on all
 * ranks. Call it after open_faces_known(). Collective. */
kol_status open_faces_normal(struct flow *flow, int face, double *whole);

#endif
