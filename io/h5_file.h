/* HDF5 files as wholes: made under a temporary name and completed, or opened to read. */
#ifndef KOL_IO_H5_FILE_H
#define KOL_IO_H5_FILE_H

#include "h5.h"

/* h5_create: <directory>/<stem>_<step>.h5.tmp, empty; unfinished ones of the same stem are removed first.
 * h5_commit: mark as complete, flush, close, read back and verify, fsync, rename; then *f is NULL, also
 * after a fault. h5_abandon: close and remove the temporary file; takes NULL. */
kol_status h5_create(MPI_Comm comm, const char *directory, const char *stem, long long step,
                     struct h5_file **f);
kol_status h5_commit(struct h5_file **f);
void h5_abandon(struct h5_file **f);

/* h5_open: to read, by all ranks of comm. h5_open_serial: by the calling rank alone. Files that were not
 * completed or are not of `format` (NULL: of any, which f->format then tells), version 1, are refused.
 * h5_close takes NULL. */
kol_status h5_open(MPI_Comm comm, const char *path, const char *format, struct h5_file **f);
kol_status h5_open_serial(const char *path, const char *format, struct h5_file **f);
kol_status h5_close(struct h5_file **f);

#endif
