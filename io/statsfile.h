/* Writes statistics files in NetCDF-4: profiles over coordinates, and numbers, each with its words. Rank
 * 0 alone. */
#ifndef KOL_IO_STATSFILE_H
#define KOL_IO_STATSFILE_H

#include "view.h"

/* stats_axis: a dimension. value: its coordinate variable of n values. If it is NULL, there is none, and
 * the dimension belongs to the group of the variables over it, which must all be in one group. bounds:
 * the n + 1 ends of the cells, or NULL. n = 0: a scalar coordinate without a dimension, of one value
 * between two bounds, for what the variables are averages over. dimension: another name than that of the
 * coordinate, or NULL. */
struct stats_axis {
    const char *name, *long_name, *unit;
    int n;
    const double *value, *bounds;
    const char *dimension;
};
/* stats_variable: a variable over axis number `axis`; if that is -1, it is one number. integer: it is
 * stored as a 64-bit integer. group: NULL stands for the root. error: its standard errors, stored as the
 * variable <name>_error, or NULL. methods, coordinates: CF's cell_methods and coordinates, or NULL. NaN
 * stands for a missing value. */
struct stats_variable {
    const char *name, *long_name, *unit, *methods, *coordinates, *group;
    int axis, integer;
    int outer; /* 0, or 1 + the number of an axis that goes before `axis`: value[outer][axis] */
    const double *value, *error;
};
/* statsfile_write: writes the whole file under a temporary name and renames it to path, so that path is at
 * any time either the complete old file or the complete new one. */
kol_status statsfile_write(const char *path, const struct stats_axis *axis, int axes,
                           const struct stats_variable *variable, int variables, const struct io_text *text,
                           int texts);

#endif
