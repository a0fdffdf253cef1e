/* A thread beside each rank that ends the run when it stands still, and keeps the lock of its directory
 * alive. */
#ifndef KOL_PARALLEL_WATCHDOG_H
#define KOL_PARALLEL_WATCHDOG_H

#include "comm.h"
#include "io/run_lock.h"

/* watchdog_start: from the first watchdog_step on, when no call of watchdog_phase was made for `seconds` (0:
 * never), a message names the rank of this host that is behind, as far as that can be told, with its step and
 * phase, and the process ends with exit code 1; mpirun then ends the others. Collective. watchdog_stop:
 * collective, too; nothing where it was not started; after a fault the other ranks may wait for this one for
 * ever, and nobody watches any more: the caller ends them. */
kol_status watchdog_start(const struct comm *c, double seconds);
kol_status watchdog_stop(void);
/* watchdog_phase: progress: this rank now does what the literal says; NULL: the same as before.
 * watchdog_step: of this step. */
void watchdog_phase(const char *phase);
void watchdog_step(long long step);
/* watchdog_guard: the lock that the thread keeps alive by run_lock_beat; borrowed; NULL: none. */
void watchdog_guard(struct runlock *lock);

#endif
