/* Decides whether an output is written after a step. */
#include "schedule.h"

#include <math.h>

/* The clock does not resolve an interval of which more than this many are over. */
static const double FINEST = 1e15;

int schedule_step(const struct clock *c, int interval)
{
    return interval > 0 && c->step % interval == 0;
}

/* How many intervals are over at a time; one that lacks a billionth counts. */
static double intervals(double t, double interval)
{
    return floor(t / interval + 1e-9);
}

int schedule_time(const struct clock *c, double interval)
{
    if (interval > 0 && !(c->t / interval < FINEST)) return 1; /* finer than any step */
    return interval > 0 && intervals(c->t, interval) > intervals(c->t - c->dt, interval);
}

static double earlier(double next, const struct clock *c, double interval)
{
    if (!(interval > 0) || !(c->t / interval < FINEST)) return next;
    return fmin(next, (intervals(c->t, interval) + 1) * interval);
}

double schedule_next(const struct input *in, const struct clock *c)
{
    double next = earlier(INFINITY, c, in->output.field_interval_time);
    next = earlier(next, c, in->history.interval_time);
    for (int n = 0; n < SLICES_MOST; ++n) next = earlier(next, c, in->slices.interval_time[n]);
    for (int n = 0; n < BOXES_MOST; ++n) next = earlier(next, c, in->boxes.interval_time[n]);
    return next;
}
