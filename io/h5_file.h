/* HDF5 files as wholes: made under a temporary name and completed, or opened to read. */
#ifndef KOL_IO_H5_FILE_H
#define KOL_IO_H5_FILE_H

#include "h5.h"

/* h5_create: makes <directory>/<stem>_<step>.h5.tmp, empty. Unfinished files of the same stem are removed
 * first.
 * h5_commit: marks the file as complete, flushes and closes it, reads it back and verifies it, calls
 * fsync and renames it. Afterwards, also after a fault, *f is NULL.
 * h5_abandon: closes the temporary file and removes it; takes NULL. */
kol_status h5_create(MPI_Comm comm, const char *directory, const char *stem, long long step,
                     struct h5_file **f);
kol_status h5_commit(struct h5_file **f);
void h5_abandon(struct h5_file **f);

/* h5_open: all ranks of comm open a file to read. h5_open_serial: the calling rank alone does. A file is
 * refused if it was not completed, or is not of version 1 of `format`. If format is NULL, any is
 * accepted, and f->format tells it. h5_close takes NULL. */
kol_status h5_open(MPI_Comm comm, const char *path, const char *format, struct h5_file **f);
kol_status h5_open_serial(const char *path, const char *format, struct h5_file **f);
kol_status h5_close(struct h5_file **f);

#endif
