/* What the inputs give for the velocity on inflow faces. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_H
#define KOL_BOUNDARY_INFLOW_H

#include "inflow_face.h"
#include "parallel/face_table.h"
#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"

struct inflow;
struct inflow_wave; /* inflow_waves.h */
struct planefile;   /* io/planefile.h */

/* inflow_create: reads the files that the inputs name, and computes the velocities that the inflows have
 * without turbulence. If no face is an inflow, *out stays NULL. in, source and g are borrowed. source gives
 * the places in messages; it may be NULL.
 *
 * KOL_ERR_INPUT if mass cannot be balanced. With an outflow, the inflows must not take out more than they
 * bring in. Without one, the fluxes through the inflows must cancel. Collective. */
kol_status inflow_create(const struct comm *c, const struct input *in, const struct input_source *source,
                         const struct grid *g, struct inflow **out);

/* inflow_destroy: frees it, closes its files and sets the pointer to NULL. *inflow may be NULL. */
void inflow_destroy(struct inflow **inflow);

/* inflow_planefile: returns the file of planes in time that a face takes its velocities from; NULL if it
 * has none, or if inflow is NULL. */
const struct planefile *inflow_planefile(const struct inflow *inflow, int face);

/* inflow_ready: KOL_ERR_INPUT, on all ranks, if the file of some face has no planes for time t. */
kol_status inflow_ready(const struct inflow *inflow, double t);

/* inflow_table_of: returns the table that gives the profile of a face; NULL if it has none, or if inflow is
 * NULL. */
const struct face_table *inflow_table_of(const struct inflow *inflow, int face);

/* inflow_input, inflow_grid: return the input and the grid that inflow_create was given. */
const struct input *inflow_input(const struct inflow *inflow);
const struct grid *inflow_grid(const struct inflow *inflow);

/* Below, d is this rank's part of the grid. on_face tells whether a place lies on the faces of cells;
 * otherwise it lies at their centres.
 *
 * inflow_index: returns inflow_face_index() of the grid of the inflow. */
int inflow_index(const struct inflow *inflow, const struct decomp *d, int dir, int on_face, int i);

/* inflow_coordinate: returns the coordinate of the place of global index i along direction f->along[n]
 * [L]. */
double inflow_coordinate(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i);

/* inflow_steady: returns component c at this rank's place (i, j) of a face, without turbulence [U]. */
double inflow_steady(const struct inflow *inflow, const struct decomp *d, int face, int c, int i, int j);

/* inflow_waves: returns the boundary.turbulence_modes waves of the turbulence of a face, or NULL if the
 * face has no turbulence. The pointer is borrowed. */
const struct inflow_wave *inflow_waves(const struct inflow *inflow, int face);

/* inflow_weight: returns the factor by which the turbulence is damped at global index i along direction
 * f->along[n]. It is 0 where the face is closed and rises from 0 at a wall to 1. The turbulence at a place
 * is multiplied by the factors of both directions. */
double inflow_weight(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i);

/* inflow_speed: returns the largest |component c| on all inflows [U], or 0 if inflow is NULL. Three times the
 * root mean square of synthetic turbulence is added. */
double inflow_speed(const struct inflow *inflow, int c);

/* inflow_largest: returns the largest |component c| on one inflow without turbulence [U]. 0 if planes of a
 * file give it. */
double inflow_largest(const struct inflow *inflow, int face, int c);

/* inflow_mean: returns the mean of the velocity component normal to a face, over the whole face, closed
 * parts included [U]. 0 if the face is no inflow, takes planes of a file, or inflow is NULL. */
double inflow_mean(const struct inflow *inflow, int face);

#endif
