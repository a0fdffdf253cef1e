/* What the inputs give for the velocity on inflow faces. docs/numerics/open.md. */
#ifndef KOL_INFLOW_H
#define KOL_INFLOW_H

#include "inflow_table.h"
#include "run.h"

/* inflow_face: a face of the whole grid: the two directions along it, the lower one first, and the cells there. A plane of values
 * is value[(c * (cells[1] + 1) + j) * (cells[0] + 1) + i]: component c at its own staggered place (i, j), indices of faces from
 * 0 to cells, of centres to cells - 1. */
struct inflow_face {
    int face, along[2], cells[2];
};
struct inflow_face inflow_face_make(const struct grid *g, int face);
size_t inflow_values(const struct inflow_face *f);
ptrdiff_t inflow_place(const struct inflow_face *f, int c, int i, int j);

struct inflow;
/* inflow_create: reads the files that the inputs name; *out stays NULL where no face is an inflow. KOL_ERR_INPUT where what the inflows bring
 * and take does not go with the other faces: less than nothing with an outflow, more or less without one. Collective. */
kol_status inflow_create(const struct comm *c, const struct input *in, const struct grid *g,
                         struct inflow **out);
void inflow_destroy(struct inflow **inflow);
/* inflow_changes: whether the velocity on a face depends on time. */
int inflow_changes(const struct inflow *inflow, int face);
/* inflow_at: the velocity [U] on an inflow face at time t, a whole plane, the same on all ranks. */
kol_status inflow_at(const struct inflow *inflow, int face, double t, double *value);
/* inflow_table_of: the table that gives a face's profile; NULL where none does, as for inflow NULL. */
const struct inflow_table *inflow_table_of(const struct inflow *inflow, int face);
/* inflow_speed: the largest of component c on inflows, turbulence by its root mean square [U]; 0 where inflow is NULL. */
double inflow_speed(const struct inflow *inflow, int c);

#endif
