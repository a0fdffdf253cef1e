/* Tables of numbers along a face of the grid, from text files. */
#ifndef KOL_PARALLEL_FACE_TABLE_H
#define KOL_PARALLEL_FACE_TABLE_H

#include "inputs/namelist.h"
#include "comm.h"

enum { FACE_TABLE_COLUMNS = 3 };

/* face_table: numbers at increasing coordinates along one direction of a face.
 *
 *   unit   what a comment "# unit: " says; "" without one */
struct face_table {
    int points, columns;
    double *x;                         /* increasing [L] */
    double *value[FACE_TABLE_COLUMNS]; /* velocities [U], or values or fluxes of a scalar */
    char unit[64];
    int unit_line;
};

/* face_table_form: what a line of a table holds: 1 column of a scalar, or 3 of a velocity. */
enum face_table_form { TABLE_OF_SCALAR = 1, TABLE_OF_VELOCITY = 3 };

/* face_table_read: reads the file `name` on rank 0 and gives it to all ranks. A line has a coordinate and
 * the numbers of the columns; a comment begins with #. `by` is the input that names the file, for messages.
 * The caller frees *out by face_table_drop(). KOL_ERR_INPUT, with file and line, if a line has something
 * else or the coordinates do not increase. KOL_ERR_INPUT, too, if there are fewer than two lines or the
 * coordinates do not reach from `low` to `high` [L], or reach so far beyond that they must have another
 * unit. Collective. */
kol_status face_table_read(const struct comm *c, const char *name, const struct input_place *by,
                           enum face_table_form form, double low, double high, struct face_table *out);

/* face_table_drop: frees what the struct owns. The struct may be all zero. */
void face_table_drop(struct face_table *t);

/* face_table_at: returns column c at the coordinate x, interpolated linearly between points. Before the first
 * point and after the last one it is constant. */
double face_table_at(const struct face_table *t, int c, double x);

#endif
