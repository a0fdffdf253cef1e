/* A thread beside each rank. It ends the run if the run makes no progress, and it keeps the lock of the run's
 * directory alive. */
#ifndef KOL_PARALLEL_WATCHDOG_H
#define KOL_PARALLEL_WATCHDOG_H

#include "comm.h"
#include "io/run_lock.h"

/* watchdog_start: starts the thread. It watches from the first watchdog_step on. If watchdog_phase is not
 * called for `seconds`, it writes a message and ends the process with exit code 1; mpirun then ends the
 * others. The message names the rank of this host that is behind, as far as that can be told, with its step
 * and phase. If seconds is 0, it never does this. Runs that take turns in this process (turns.h) share the
 * thread: the least of their `seconds` counts, and the progress of any of them. Collective. */
kol_status watchdog_start(const struct comm *c, double seconds);
/* watchdog_stop: stops the thread, if it was started. If runs take turns in this process, the last of them
 * does so. Collective. If this rank stops it after a fault, the other ranks may wait for this rank for ever,
 * and no thread watches any more. Then the caller has to end them. */
kol_status watchdog_stop(void);
/* watchdog_phase: reports progress. phase: a literal that says what this rank does now; NULL if that has
 * not changed. */
void watchdog_phase(const char *phase);
/* watchdog_step: reports that this step begins. */
void watchdog_step(long long step);
/* watchdog_guard: gives the thread a lock of an output directory, which it keeps alive by run_lock_beat().
 * NULL takes it away. The lock is borrowed. */
void watchdog_guard(struct runlock *lock);

#endif
