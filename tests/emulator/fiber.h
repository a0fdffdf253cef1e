/* Fibers: stacks between which one processor switches. */
#ifndef KOL_EMULATOR_FIBER_H
#define KOL_EMULATOR_FIBER_H

#include <stddef.h>

/* fiber: one stack. Runs `main`, which never returns, from the first fiber_enter on. */
struct fiber;

/* fiber_create: number: lets stacks begin at different places of a page, or they would all meet in the same
 * cache lines. Aborts where there is no memory. fiber_restart: begin again with main; what the stack holds is
 * lost. */
struct fiber *fiber_create(int number, void (*main)(void));
void fiber_restart(struct fiber *f);

/* fiber_enter: from outside, run f until a fiber calls fiber_leave. fiber_switch: from the fiber that runs to
 * another. */
void fiber_enter(struct fiber *f);
void fiber_switch(struct fiber *f);
void fiber_leave(void);

#endif
