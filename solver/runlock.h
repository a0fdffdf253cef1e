/* One run in a directory: a lock file that says who works there, and that he still does. */
#ifndef KOL_RUNLOCK_H
#define KOL_RUNLOCK_H

#include <stddef.h>
#include "../kernels/base/status.h"

struct runlock;

/* runlock_take: the file kolmo.lock in a directory that exists. KOL_ERR_IO, at once or within RUNLOCK_PATIENCE seconds, where another
 * run has it. A lock that its run has left is taken over, which note tells, else note is "": the file system says whether the
 * process that locked the file lives (flock); where it can't do that, the process's number on this host, and on another host the
 * beats that the run makes every RUNLOCK_BEAT seconds. runlock_beat: such a beat, from any thread, one at a time. runlock_drop
 * removes the file; takes NULL. Rank 0 alone. */
enum { RUNLOCK_BEAT = 4, RUNLOCK_PATIENCE = 12 };
kol_status runlock_take(const char *directory, struct runlock **out, char *note, size_t size);
void runlock_beat(struct runlock *l);
void runlock_drop(struct runlock **l);

#endif
