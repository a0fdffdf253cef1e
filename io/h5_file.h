/* Creates complete HDF5 files under a temporary name, and opens files for reading. */
#ifndef KOL_IO_H5_FILE_H
#define KOL_IO_H5_FILE_H

#include "h5.h"

/* h5_create: makes the empty file <directory>/<stem>_<step>.h5.tmp. Before that, it removes unfinished files
 * of the same stem. h5_create_alone: makes <directory>/<stem>.h5.tmp, of which there is one for all steps, in
 * the format kolmo-<stem>. Stems that begin with "surface" have the format kolmo-surface.
 *
 * h5_commit: marks the file as complete, flushes and closes it. Then it reads the file back and verifies it,
 * calls fsync and renames it. Afterwards, also after a fault, *f is NULL.
 *
 * h5_abandon: closes the temporary file and removes it. NULL is allowed. */
kol_status h5_create(MPI_Comm comm, const char *directory, const char *stem, long long step,
                     struct h5_file **f);
kol_status h5_create_alone(MPI_Comm comm, const char *directory, const char *stem, long long step,
                           struct h5_file **f);
kol_status h5_commit(struct h5_file **f);
void h5_abandon(struct h5_file **f);

/* h5_open: all ranks of comm open a file for reading. h5_open_serial: only the calling rank opens it. A file
 * is refused if it is not complete, or if it is not of version 1 of `format`. If format is NULL, any format
 * is accepted, and f->format is the one that was found. h5_close: closes it; NULL is allowed. */
kol_status h5_open(MPI_Comm comm, const char *path, const char *format, struct h5_file **f);
kol_status h5_open_serial(const char *path, const char *format, struct h5_file **f);
kol_status h5_close(struct h5_file **f);

#endif
