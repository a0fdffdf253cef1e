/* Allows one run in a directory: a lock file says who works there, and that he still does. Rank 0 alone. */
#ifndef KOL_RUN_LOCK_H
#define KOL_RUN_LOCK_H

#include <stddef.h>
#include "kernels/base/status.h"

struct runlock;

/* run_lock_take: takes the file kolmo.lock in a directory that exists. KOL_ERR_IO, at once or within
 * RUN_LOCK_PATIENCE seconds, if another run has it.
 * If a run has left its lock behind, the lock is taken over, and note says so; otherwise note is "".
 * Whether that run still lives is found out in this order:
 *   - by the file system, which knows whether the process that locked the file lives (flock);
 *   - by the number of the process, if it ran on this host;
 *   - by the beats that a run makes every RUN_LOCK_BEAT seconds, if it ran on another host.
 * run_lock_beat: makes such a beat; any thread may call it, one at a time. run_lock_drop: removes the
 * file; takes NULL. */
enum { RUN_LOCK_BEAT = 4, RUN_LOCK_PATIENCE = 12 };
kol_status run_lock_take(const char *directory, struct runlock **out, char *note, size_t size);
void run_lock_beat(struct runlock *l);
void run_lock_drop(struct runlock **l);

#endif
