/* Velocities on an inflow from a text file. */
#ifndef KOL_BOUNDARY_INFLOW_TABLE_H
#define KOL_BOUNDARY_INFLOW_TABLE_H

#include "inputs/namelist.h"
#include "parallel/comm.h"

/* inflow_table: velocities at increasing coordinates along one direction of a face. */
struct inflow_table {
    int points;
    double *x;    /* increasing [L] */
    double *u[3]; /* [U] */
};

/* inflow_table_read: reads the file `name` on rank 0 and gives it to all ranks. A line has a coordinate and
 * three velocity components; a comment begins with #. `by` is the input that names the file, for messages.
 * The caller frees *out by inflow_table_drop(). KOL_ERR_INPUT, with file and line, if a line has something
 * else or the coordinates do not increase. KOL_ERR_INPUT, too, if there are fewer than two lines or the
 * coordinates do not reach from `low` to `high` [L]. Collective. */
kol_status inflow_table_read(const struct comm *c, const char *name, const struct input_place *by, double low,
                             double high, struct inflow_table *out);

/* inflow_table_drop: frees what the struct owns. The struct may be all zero. */
void inflow_table_drop(struct inflow_table *t);

/* inflow_table_at: returns component c of the velocity at the coordinate x, interpolated linearly between
 * points [U]. Before the first point and after the last one it is constant. */
double inflow_table_at(const struct inflow_table *t, int c, double x);

#endif
