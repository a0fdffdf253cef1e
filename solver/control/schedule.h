/* When output is written. */
#ifndef KOL_CONTROL_SCHEDULE_H
#define KOL_CONTROL_SCHEDULE_H

#include "state/flow.h"

/* These functions return whether an output is written after the present step. If the interval is 0, the
 * answer is no. The answer depends on the clock alone, not on earlier output, so a restarted run writes at
 * the same steps.
 *
 *   schedule_step   the number of the step is a multiple of the interval
 *   schedule_time   this step is the first one that reaches a multiple of the interval [T] */
int schedule_step(const struct clock *c, int interval);
int schedule_time(const struct clock *c, double interval);

/* schedule_next: returns the next time after the clock's at which fields, slices, boxes or records of the
 * history are asked for by an interval_time [T]; INFINITY if none are. */
double schedule_next(const struct input *in, const struct clock *c);

#endif
