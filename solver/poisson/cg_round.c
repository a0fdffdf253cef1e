/* Decides when a round of conjugate gradients ends and whether it reduced the residual. */
#include "cg_round.h"

/* The recurrence is followed to a little below the tolerance, so that the residual computed from x meets it.
 */
static const double RECURRENCE_MARGIN = 0.9;
/* A round of iterations must at least halve the residual, else rounding has been reached. */
static const double RESTART_GAIN = 0.5;
/* A round ends, and the residual is computed anew, when the recurrence has made no new minimum for so many
 * iterations, or has grown so far above its minimum: below what rounding allows the recurrence no longer
 * speaks of the residual. */
enum { STALL_ITERATIONS = 2000 };
static const double STALL_GROWTH = KOL_CHOOSE(1e12, 1e5);
/* d.Ad <= 0 tells of an indefinite operator only while the residual is above this part of the round's first.
 */
static const double ROUNDING_PART = KOL_CHOOSE(1e-8, 1e-3);

struct cg_state cg_round(double tolerance, int asked, int limit, int iterations)
{
    return (struct cg_state){.target = RECURRENCE_MARGIN * tolerance,
                             .rounding_part = ROUNDING_PART,
                             .stall_growth = STALL_GROWTH,
                             .stall_iterations = STALL_ITERATIONS,
                             .limit = limit,
                             .asked = asked,
                             .iterations = iterations};
}

int cg_gained(double now, double before)
{
    return now <= RESTART_GAIN * before;
}

int cg_at_rounding(double now, double first)
{
    return now < ROUNDING_PART * first;
}
