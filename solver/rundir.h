/* The output directory. */
#ifndef KOL_RUNDIR_H
#define KOL_RUNDIR_H

#include "../kernels/base/status.h"

enum { RUNDIR_TEXT = 1024 };

/* rundir_make: make the directory and its parents; KOL_ERR_IO where it can't be written. rundir_exists: whether it is there. */
kol_status rundir_make(const char *directory);
int rundir_exists(const char *directory);

/* rundir_prepare: rundir_make; fresh: move the files that an earlier run wrote there (series.nc,
 * run.log, fields*, checkpoint_*.h5) to its first free folder previous-<k>; moved: that folder's path, "" where nothing was
 * there. Rank 0 only. KOL_ERR_IO with the system's reason. */
kol_status rundir_prepare(const char *directory, int fresh, char moved[RUNDIR_TEXT]);

/* rundir_holds: whether the file lies in the directory itself. Both must exist. */
int rundir_holds(const char *directory, const char *file);

#endif
