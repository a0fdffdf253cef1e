/* Groups of an HDF5 file. */
#ifndef KOL_IO_H5_GROUPS_H
#define KOL_IO_H5_GROUPS_H

#include "h5.h"

/* h5_put_group: makes a group. */
kol_status h5_put_group(struct h5_file *f, const char *group);
/* h5_check_links: KOL_ERR_IO if a name in the groups of our files is a link to another place, of this file or
 * of another one. It is called when a file is opened, before any object is. */
kol_status h5_check_links(struct h5_file *f);
/* h5_check_stored_here: KOL_ERR_IO if the data of an open dataset are in other files, as those of virtual
 * datasets are. Local. */
kol_status h5_check_stored_here(struct h5_file *f, const char *dataset, hid_t set);
/* h5_check_own_data: KOL_ERR_IO if a link of the file leads to another place, or if the data of a dataset are
 * in other files. It is called before another library, such as NetCDF, opens a file. Files that are not HDF5
 * files pass. One rank alone calls this. */
kol_status h5_check_own_data(const char *path);
/* h5_list: lists the names of the datasets (not of the groups) in a group, in order of name. h5_list_free
 * frees the list. */
kol_status h5_list(struct h5_file *f, const char *group, char ***name, int *count);
void h5_list_free(char ***name, int count);

#endif
