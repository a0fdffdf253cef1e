/* File operations of one rank: they list files, check for free space, and make a finished file durable. They
 * are not collective. */
#ifndef KOL_IO_DISK_H
#define KOL_IO_DISK_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { DISK_PATH = 1024 }; /* longest path, terminating zero included */
enum { DISK_STEM = 32 };   /* and longest stem of a name <stem>_<step>.h5 */

/* disk_join: writes directory/name into path (DISK_PATH bytes). */
kol_status disk_join(char *path, const char *directory, const char *name);
/* disk_check_space: returns KOL_ERR_IO with both numbers in its message if fewer than 1.1 * bytes are free.
 * Quotas are not taken into account. */
kol_status disk_check_space(const char *directory, double bytes);
/* disk_reserve: reserves blocks for `bytes` bytes of the file, from offset on. Later writes can then not fail
 * for want of space or quota. Returns KOL_OK if the file system can't reserve blocks. */
kol_status disk_reserve(const char *path, long long offset, long long bytes);
/* disk_create: makes an empty file. If the directory can't be written, errno in the message tells why. */
kol_status disk_create(const char *path);
/* disk_check_file: checks that path is a regular file that can be read, and sets *bytes to its size. */
kol_status disk_check_file(const char *path, double *bytes);
/* disk_check_given: returns KOL_ERR_INPUT if a file that the input names can't be read. */
kol_status disk_check_given(const char *path);
/* disk_check_open: checks that this rank can open the file, with writing = 1 for writing. It is called before
 * a collective open. If one rank could not open the file, the others would wait in MPI_File_open of Open MPI
 * 4.1 for ever. */
kol_status disk_check_open(const char *path, int writing);
/* disk_commit: calls fsync on `temporary`, renames it to path and calls fsync on the directory. From then on,
 * a power cut leaves either the old or the new file. If there is a fault, the temporary file remains. */
kol_status disk_commit(const char *temporary, const char *path);
/* disk_copy: copies the file `path` to `copy`. An existing file `copy` is replaced. */
kol_status disk_copy(const char *path, const char *copy);

/* disk_list: lists the steps of the files <stem>_<digits>.h5 of the directory, largest first. The caller
 * frees *step. */
kol_status disk_list(const char *directory, const char *stem, long long **step, int *count);
/* disk_name: writes directory/<stem>_<step>.h5 into path; the step has at least 8 digits. */
kol_status disk_name(char *path, const char *directory, const char *stem, long long step);
/* disk_clean: removes the files <stem>_<digits>.h5.tmp that a killed run has left in the directory, and
 * reports it in the log. */
kol_status disk_clean(const char *directory, const char *stem);

#endif
