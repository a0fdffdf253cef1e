/* Reads statistics files again: their numbers, and whether two of them belong to one flow. The calling
 * rank alone. */
#ifndef KOL_IO_STATSREAD_H
#define KOL_IO_STATSREAD_H

#include <stddef.h>
#include "kernels/base/status.h"

struct stats_reader;
/* statsread_open: opens a file. KOL_ERR_IO if it can't be read or is no NetCDF. statsread_close takes
 * NULL. */
kol_status statsread_open(const char *path, struct stats_reader **out);
kol_status statsread_close(struct stats_reader **r);
const char *statsread_path(const struct stats_reader *r);
/*   statsread_count   returns the number of values of a variable of the root group
 *   statsread_number  reads a variable of the root group that is one number
 *   statsread_values  reads a variable of a group that has exactly n numbers
 *   statsread_has     returns whether the group has the variable
 *   statsread_text    reads an attribute of the file, which the caller frees
 * KOL_ERR_IO if the file has no such variable or attribute. */
kol_status statsread_count(struct stats_reader *r, const char *name, size_t *n);
kol_status statsread_number(struct stats_reader *r, const char *name, double *value);
kol_status statsread_values(struct stats_reader *r, const char *group, const char *name, size_t n,
                            double *value);
int statsread_has(struct stats_reader *r, const char *group, const char *name);
kol_status statsread_text(struct stats_reader *r, const char *name, char **text);
/* statsread_compare: lists in what two files differ, so that they belong to different flows or
 * definitions: dimensions, coordinates, names, units and words of variables, directions. Each difference
 * is a line, begun by a newline, that is added to text of size bytes. If they agree, nothing is added. */
kol_status statsread_compare(struct stats_reader *a, struct stats_reader *b, char *text, size_t size);

#endif
