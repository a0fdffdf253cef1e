/* Several runs in one process, which take turns: a run goes on while another one waits for its processor. */
#ifndef KOL_BASE_TURNS_H
#define KOL_BASE_TURNS_H

#include "status.h"

KOL_BEGIN_C

/* Each run has a seat, a stack and a recorded fault of its own, and all of them belong to one thread. A run
 * keeps the turn until it waits here. So libraries are called by one run at a time, and nothing needs a lock.
 * What a process has once but each run needs for itself, such as the log, is an array over the seats. */
enum { TURNS_MOST = 64 };

/* turns_seat: returns the seat of the run that goes on, 0 to turns_count() - 1. turns_count: returns how many
 * seats there are. It is 1 where turns_run() does not run. */
int turns_seat(void);
int turns_count(void);
/* turns_run: calls work(seat, context) for each of `count` seats, at most TURNS_MOST, and returns when all of
 * these calls have returned. Returns KOL_ERR_MEMORY, and calls none of them, if there is no memory for the
 * stacks. The caller is the only thread that uses seats. */
kol_status turns_run(int count, void (*work)(int seat, void *context), void *context);
/* turns_wait: lets the other runs go on until over(what) is true, which is asked while any of them has the
 * turn. If over is NULL, each of the others goes on until it waits itself. With one seat, or while
 * turns_hold() is in force, it returns at once. */
void turns_wait(int (*over)(void *what), void *what);
/* turns_hold: if `on` is true, the run keeps the turn where it waits, until the call with 0. It is for what
 * is measured. */
void turns_hold(int on);
/* turns_meet: returns when each run has called it as often as this one, or has ended. It must not be called
 * while turns_hold() is in force. */
void turns_meet(void);

KOL_END_C

#endif
