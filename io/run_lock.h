/* Makes sure that only one run works in a directory. A lock file says which run this is, and that it is still
 * alive. Rank 0 alone calls these functions. */
#ifndef KOL_RUN_LOCK_H
#define KOL_RUN_LOCK_H

#include <stddef.h>
#include "kernels/base/status.h"

struct runlock;

/* run_lock_take: takes the file kolmo.lock in a directory that exists. If another run has the lock, it
 * returns KOL_ERR_IO, at once or within RUN_LOCK_PATIENCE seconds. If a dead run has left its lock behind,
 * the lock is taken over, and note says so. Otherwise note is "".
 *
 * Whether the other run is still alive is decided in this order:
 *
 *   - by the file system, which knows whether the process that locked the file is alive (flock);
 *   - by the number of the process, if it ran on this host;
 *   - by the signs of life that a run gives every RUN_LOCK_BEAT seconds, if it ran on another host.
 *
 * run_lock_beat: gives such a sign of life. Any thread may call it, but only one at a time. run_lock_drop:
 * removes the file; NULL is allowed. */
enum { RUN_LOCK_BEAT = 4, RUN_LOCK_PATIENCE = 12 };
kol_status run_lock_take(const char *directory, struct runlock **out, char *note, size_t size);
void run_lock_beat(struct runlock *l);
void run_lock_drop(struct runlock **l);

#endif
