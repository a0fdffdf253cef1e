/* When outputs are due. */
#ifndef KOL_DUE_H
#define KOL_DUE_H

#include "run.h"

/* due_step, due_time: whether an output is due after the step of the clock: at multiples of the interval, and in the first step that reaches
 * a multiple of the interval in time; 0: never. They need no memory of earlier output, so that a restarted run writes at the same steps. */
int due_step(const struct clock *c, int interval);
int due_time(const struct clock *c, double interval);

#endif
