/* When outputs are due. */
#ifndef KOL_OUTPUT_SCHEDULE_H
#define KOL_OUTPUT_SCHEDULE_H

#include "state/flow.h"

/* schedule_step, schedule_time: whether an output is due after the step of the clock: at multiples of the
 * interval, and in the first step that reaches a multiple of the interval in time; 0: never. They need no
 * memory of earlier output, so that a restarted run writes at the same steps. */
int schedule_step(const struct clock *c, int interval);
int schedule_time(const struct clock *c, double interval);

#endif
