/* Statistics files, NetCDF-4: profiles over coordinates and numbers, each with its words; by rank 0 alone. */
#ifndef KOL_IO_STATSFILE_H
#define KOL_IO_STATSFILE_H

#include "view.h"

/* stats_axis: a dimension with its coordinate variable of n values; NULL: it has none, and
 * is of the group of the variables over it, which all are of one. bounds: n + 1 ends of cells, or NULL. */
struct stats_axis {
    const char *name, *long_name, *unit;
    int n;
    const double *value, *bounds;
};
/* stats_variable: over axis number `axis`, or -1: one number; integer: it is stored as a 64-bit integer.
 * group: NULL: that of the root. error: standard errors, stored as the variable <name>_error, or NULL.
 * methods: of CF's cell_methods, or NULL. NaN is a missing value. */
struct stats_variable {
    const char *name, *long_name, *unit, *methods, *group;
    int axis, integer;
    int outer; /* 0, or 1 + the number of an axis that goes before `axis`: value[outer][axis] */
    const double *value, *error;
};
/* statsfile_write: the whole file under a temporary name, then in the place of path: at any time there is the
 * old or the new one. */
kol_status statsfile_write(const char *path, const struct stats_axis *axis, int axes,
                           const struct stats_variable *variable, int variables, const struct io_text *text,
                           int texts);

#endif
