/* Velocities on an inflow from a text file. */
#ifndef KOL_BOUNDARY_INFLOW_TABLE_H
#define KOL_BOUNDARY_INFLOW_TABLE_H

#include "inputs/namelist.h"
#include "parallel/comm.h"

struct inflow_table {
    int points;
    double *x;    /* increasing [L] */
    double *u[3]; /* [U] */
};
/* inflow_table_read: lines of a coordinate and three components. KOL_ERR_INPUT where a line is something
 * else, coordinates do not increase, or they do not reach from `low` to `high`. by: the input that names the
 * file. Collective. inflow_table_drop takes a zeroed struct. */
kol_status inflow_table_read(const struct comm *c, const char *name, const struct input_place *by, double low,
                             double high, struct inflow_table *out);
void inflow_table_drop(struct inflow_table *t);
/* inflow_table_at: component c at x, linear between points. */
double inflow_table_at(const struct inflow_table *t, int c, double x);

#endif
