/* Decides when a round of conjugate gradients ends and whether it reduced the residual. */
#include "cg_round.h"

#include <float.h>
#include <math.h>
#include "kernels/base/constants.h"
#include "kernels/level.h"

double cg_rounding(const struct grid *g)
{
    const double longest = fmax(g->length[X], fmax(g->length[Y], g->length[Z])),
                 waves = longest / (PI * g->smallest);
    return KOL_EPSILON * 3 * 4 * waves * waves;
}

int cg_single(double rounding, double most)
{
    return sizeof(real) == sizeof(double) && sizeof(level_real) == sizeof(float) &&
           rounding / KOL_EPSILON * FLT_EPSILON < most;
}

/* With random right-hand sides rounding left up to two thousandths of that bound: in channels of 32^3 to 96^3
 * cells the residual was then that of the recurrence to a tenth. */
static const double SINGLE_LEFT = 2e-3;

double cg_single_part(double rounding)
{
    return fmax(CG_SINGLE_PART, SINGLE_LEFT * rounding / KOL_EPSILON * FLT_EPSILON);
}

int cg_single_enough(const struct input *in)
{
    const double least = 1e-8;
    return in->pressure.tolerance >= least && in->pressure.relative == 0;
}

/* The recurrence is followed to a little below the tolerance, so that the residual computed from x meets the
 * tolerance. */
static const double RECURRENCE_MARGIN = 0.9;
/* If a round of iterations does not at least halve the residual, rounding allows no less. */
static const double RESTART_GAIN = 0.5;
/* A round of the iteration ends in two cases: the residual of the recurrence has found no new minimum for
 * STALL_ITERATIONS, or it has grown by the factor STALL_GROWTH above its minimum. Then the residual is
 * computed from x again, because below the rounding of x the recurrence no longer follows the true residual.
 */
enum { STALL_ITERATIONS = 2000 };
static const double STALL_GROWTH = KOL_CHOOSE(1e12, 1e5);
/* d.Ad <= 0 means an indefinite operator only while the residual is above this part of the round's first one;
 * below, it may be rounding. */
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
