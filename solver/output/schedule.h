/* When output is written. */
#ifndef KOL_OUTPUT_SCHEDULE_H
#define KOL_OUTPUT_SCHEDULE_H

#include "state/flow.h"

/* Whether an output is written after the present step. If the interval is 0, the answer is no. The answer
 * depends on the clock alone, not on earlier output, so a restarted run writes at the same steps.
 *
 *   schedule_step   the number of the step is a multiple of the interval
 *   schedule_time   this step is the first one that reaches a multiple of the interval [T] */
int schedule_step(const struct clock *c, int interval);
int schedule_time(const struct clock *c, double interval);

#endif
