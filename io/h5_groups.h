/* Groups of an HDF5 file. */
#ifndef KOL_IO_H5_GROUPS_H
#define KOL_IO_H5_GROUPS_H

#include "h5.h"

/* h5_put_group: makes a group. */
kol_status h5_put_group(struct h5_file *f, const char *group);
/* h5_list: lists the names of the datasets in a group, in alphabetical order. Groups are not listed.
 * h5_list_free: frees the list. */
kol_status h5_list(struct h5_file *f, const char *group, char ***name, int *count);
void h5_list_free(char ***name, int count);

#endif
