/* Small text files that runs share, in the user's cache directory: where they are, and how one is replaced.
 * The functions are not collective. */
#ifndef KOL_IO_CACHE_FILE_H
#define KOL_IO_CACHE_FILE_H

#include <stdio.h>
#include "disk.h"

/* cache_file: a file that is being replaced. */
struct cache_file {
    const char *path; /* borrowed */
    char temporary[DISK_PATH];
    FILE *to;
};

/* cache_file_path: writes $XDG_CACHE_HOME/kolmo/name into path, or else $HOME/.cache/kolmo/name. If neither
 * variable holds an absolute path, path becomes "". */
kol_status cache_file_path(const char *name, char path[DISK_PATH]);
/* cache_file_begin: opens a temporary file beside path for writing, f->to. Missing folders are made. */
kol_status cache_file_begin(const char *path, struct cache_file *f);
/* cache_file_end: closes the temporary file. If st is KOL_OK and all was written, it takes the place of path.
 * Otherwise it is removed, and path stays as it was. Returns st, or the first fault after it. */
kol_status cache_file_end(struct cache_file *f, kol_status st);

#endif
