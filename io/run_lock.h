/* One run in a directory: a lock file that says who works there, and that he still does. */
#ifndef KOL_RUN_LOCK_H
#define KOL_RUN_LOCK_H

#include <stddef.h>
#include "kernels/base/status.h"

struct runlock;

/* run_lock_take: the file kolmo.lock in a directory that exists. KOL_ERR_IO, at once or within
 * RUN_LOCK_PATIENCE seconds, where another run has it. A lock that its run has left is taken over, which note
 * tells, else note is "": the file system says whether the process that locked the file lives (flock); where
 * it can't do that, the process's number on this host, and on another host the beats that the run makes every
 * RUN_LOCK_BEAT seconds. run_lock_beat: such a beat, from any thread, one at a time. run_lock_drop removes
 * the file; takes NULL. Rank 0 alone. */
enum { RUN_LOCK_BEAT = 4, RUN_LOCK_PATIENCE = 12 };
kol_status run_lock_take(const char *directory, struct runlock **out, char *note, size_t size);
void run_lock_beat(struct runlock *l);
void run_lock_drop(struct runlock **l);

#endif
