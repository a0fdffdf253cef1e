/* Plain file work of one rank: what is there, is there room, make a finished file durable. Not collective. */
#ifndef KOL_IO_DISK_H
#define KOL_IO_DISK_H

#include <stddef.h>
#include "kernels/base/status.h"

enum { DISK_PATH = 1024 }; /* longest path, terminating zero included */
enum { DISK_STEM = 32 };   /* and longest stem of a name <stem>_<step>.h5 */

/* disk_join: directory/name into path (DISK_PATH bytes). */
kol_status disk_join(char *path, const char *directory, const char *name);
/* disk_check_directory: KOL_ERR_IO where it is missing or no directory. */
kol_status disk_check_directory(const char *directory);
/* disk_check_space: KOL_ERR_IO with both numbers where fewer than 1.1 * bytes are free. Quotas are not seen.
 * */
kol_status disk_check_space(const char *directory, double bytes);
/* disk_reserve: blocks for bytes of path from offset on, so that writing them later can't fail for want of
 * space or quota. KOL_OK where the file system can't do that. */
kol_status disk_reserve(const char *path, long long offset, long long bytes);
/* disk_create: an empty file, to learn by errno whether the directory can be written. */
kol_status disk_create(const char *path);
/* disk_check_file: a regular file that can be read; its size in *bytes. */
kol_status disk_check_file(const char *path, double *bytes);
/* disk_check_open: this rank can open the file, to write where writing is 1. Before a collective open: one
 * rank that can't leaves the others in MPI_File_open of Open MPI 4.1 for ever. */
kol_status disk_check_open(const char *path, int writing);
/* disk_commit: fsync of temporary, rename to path, fsync of the directory: after it, a power cut leaves the
 * old or the new file. On a fault the temporary file remains. */
kol_status disk_commit(const char *temporary, const char *path);
/* disk_copy: path to copy, which is replaced. */
kol_status disk_copy(const char *path, const char *copy);

/* disk_list: steps of the files <stem>_<digits>.h5 of directory, largest first; *step to be freed. */
kol_status disk_list(const char *directory, const char *stem, long long **step, int *count);
/* disk_name: <stem>_<step>.h5, at least 8 digits, under directory, into path. */
kol_status disk_name(char *path, const char *directory, const char *stem, long long step);
/* disk_clean: remove <stem>_<digits>.h5.tmp of directory, left by a run that was killed; says so in the log.
 * */
kol_status disk_clean(const char *directory, const char *stem);

#endif
