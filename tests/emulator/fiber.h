/* Fibers: stacks between which one processor switches. */
#ifndef KOL_EMULATOR_FIBER_H
#define KOL_EMULATOR_FIBER_H

#include <stddef.h>

/* fiber: one stack. The first fiber_enter calls `main` on it, which never returns. */
struct fiber;

/* fiber_create: makes a fiber, or aborts if there is no memory. `number` decides at which place of a page
 * its stack begins; if all began at the same place, they would share the same cache lines. fiber_restart:
 * makes the fiber begin again with main; the content of its stack is lost. */
struct fiber *fiber_create(int number, void (*main)(void));
void fiber_restart(struct fiber *f);

/* fiber_enter: is called outside all fibers. It runs f until a fiber calls fiber_leave. fiber_switch:
 * switches from the fiber that runs to another one. */
void fiber_enter(struct fiber *f);
void fiber_switch(struct fiber *f);
void fiber_leave(void);

#endif
