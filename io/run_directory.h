/* The output directory: makes it, and moves files of an earlier run aside. Rank 0 alone. */
#ifndef KOL_RUN_DIRECTORY_H
#define KOL_RUN_DIRECTORY_H

#include "kernels/base/status.h"

enum { RUN_DIRECTORY_TEXT = 1024 };

/* run_directory_make: makes the directory and its parents. Returns KOL_ERR_IO if it can't be written.
 * run_directory_exists: returns whether it exists. */
kol_status run_directory_make(const char *directory);
int run_directory_exists(const char *directory);

/* run_directory_prepare: calls run_directory_make. If fresh is set, it then moves the files of an earlier run
 * (series.nc, run.log, fields*, checkpoint_*.h5) into the first free folder previous-<k>. moved: the path of
 * that folder, or "" if there was nothing to move. The message of KOL_ERR_IO has the system's reason. */
kol_status run_directory_prepare(const char *directory, int fresh, char moved[RUN_DIRECTORY_TEXT]);

/* run_directory_holds: returns whether the file lies directly in the directory. Both must exist. */
int run_directory_holds(const char *directory, const char *file);

#endif
