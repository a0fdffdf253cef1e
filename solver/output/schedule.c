/* Decides whether an output is written after a step. */
#include "schedule.h"

#include <math.h>

int schedule_step(const struct clock *c, int interval)
{
    return interval > 0 && c->step % interval == 0;
}

int schedule_time(const struct clock *c, double interval)
{
    const double slack = 1e-9;
    if (interval > 0 && !(c->t / interval < 1e15)) return 1; /* finer than any step */
    return interval > 0 && floor(c->t / interval + slack) > floor((c->t - c->dt) / interval + slack);
}
