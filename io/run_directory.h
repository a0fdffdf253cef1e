/* The output directory. */
#ifndef KOL_RUN_DIRECTORY_H
#define KOL_RUN_DIRECTORY_H

#include "kernels/base/status.h"

enum { RUN_DIRECTORY_TEXT = 1024 };

/* run_directory_make: make the directory and its parents; KOL_ERR_IO where it can't be written.
 * run_directory_exists: whether it is there. */
kol_status run_directory_make(const char *directory);
int run_directory_exists(const char *directory);

/* run_directory_prepare: run_directory_make; fresh: move the files that an earlier run wrote there
 * (series.nc, run.log, fields*, checkpoint_*.h5) to its first free folder previous-<k>; moved: that folder's
 * path, "" where nothing was there. Rank 0 only. KOL_ERR_IO with the system's reason. */
kol_status run_directory_prepare(const char *directory, int fresh, char moved[RUN_DIRECTORY_TEXT]);

/* run_directory_holds: whether the file lies in the directory itself. Both must exist. */
int run_directory_holds(const char *directory, const char *file);

#endif
