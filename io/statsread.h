/* Statistics files read again: their numbers, and whether two of them are of one flow. By the calling rank
 * alone. */
#ifndef KOL_IO_STATSREAD_H
#define KOL_IO_STATSREAD_H

#include <stddef.h>
#include "kernels/base/status.h"

struct stats_reader;
/* statsread_open: KOL_ERR_IO where the file can't be read or is no NetCDF. statsread_close takes NULL. */
kol_status statsread_open(const char *path, struct stats_reader **out);
kol_status statsread_close(struct stats_reader **r);
const char *statsread_path(const struct stats_reader *r);
/* statsread_number: a variable of the root that is one number. statsread_values: a variable of a group, of
 * exactly n numbers. KOL_ERR_IO where there is none. statsread_has: whether the group has the variable.
 * statsread_text: an attribute of the file; malloced. */
kol_status statsread_number(struct stats_reader *r, const char *name, double *value);
kol_status statsread_values(struct stats_reader *r, const char *group, const char *name, size_t n,
                            double *value);
int statsread_has(struct stats_reader *r, const char *group, const char *name);
kol_status statsread_text(struct stats_reader *r, const char *name, char **text);
/* statsread_compare: in what two files are of different flows or definitions, a line for each, begun by a
 * newline, added to text of size bytes: dimensions, coordinates, names, units and words of variables,
 * directions. Equal ones add nothing. */
kol_status statsread_compare(struct stats_reader *a, struct stats_reader *b, char *text, size_t size);

#endif
