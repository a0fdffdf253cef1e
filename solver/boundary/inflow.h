/* What the inputs give for the velocity on inflow faces. docs/numerics/open.md. */
#ifndef KOL_BOUNDARY_INFLOW_H
#define KOL_BOUNDARY_INFLOW_H

#include "inflow_face.h"
#include "inflow_table.h"
#include "parallel/comm.h"
#include "parallel/decomp.h"
#include "parallel/memory.h"

struct inflow;
struct inflow_wave; /* inflow_waves.h */
struct planefile;   /* io/planefile.h */
/* inflow_create: reads the files that the inputs name; *out stays NULL where no face is an inflow.
 * KOL_ERR_INPUT where what the inflows bring and take does not go with the other faces: less than nothing
 * with an outflow, more or less without one. source, for the places in messages, may be NULL. Collective. */
kol_status inflow_create(const struct comm *c, const struct input *in, const struct input_source *source,
                         const struct grid *g, struct inflow **out);
void inflow_destroy(struct inflow **inflow);
/* inflow_planefile: the file of planes in time that a face takes; NULL where there is none. inflow_ready:
 * KOL_ERR_INPUT where a face has no planes for time t, on all ranks alike. */
const struct planefile *inflow_planefile(const struct inflow *inflow, int face);
kol_status inflow_ready(const struct inflow *inflow, double t);
/* inflow_table_of: the table that gives a face's profile; NULL where none does, as for inflow NULL. */
const struct inflow_table *inflow_table_of(const struct inflow *inflow, int face);
/* inflow_input, inflow_grid: what inflow_create was given. */
const struct input *inflow_input(const struct inflow *inflow);
const struct grid *inflow_grid(const struct inflow *inflow);
/* inflow_index: global index of place i, -1 .. n, of a plane of the box d along dir: on the other side of a
 * periodic direction, moved to the inner side of walls. inflow_coordinate: that of a place of global index i
 * along direction n, 0 or 1, of a face [L]. inflow_steady: component c at place (i, j) of the box d, without
 * turbulence [U]. */
int inflow_index(const struct inflow *inflow, const struct decomp *d, int dir, int on_face, int i);
double inflow_coordinate(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i);
double inflow_steady(const struct inflow *inflow, const struct decomp *d, int face, int c, int i, int j);
/* inflow_waves: those of a face with turbulence. inflow_weight: how strong they are along direction n, at
 * global index i: the product of both directions counts. */
const struct inflow_wave *inflow_waves(const struct inflow *inflow, int face);
double inflow_weight(const struct inflow *inflow, const struct inflow_face *f, int n, int on_face, int i);
/* inflow_speed: the largest of component c on inflows, turbulence by its root mean square [U]; 0 where inflow
 * is NULL. */
double inflow_speed(const struct inflow *inflow, int c);
/* inflow_mean: mean of the component across a face, over all of it, closed parts too [U]; 0 where the face is
 * no inflow or inflow is NULL. */
double inflow_mean(const struct inflow *inflow, int face);

#endif
