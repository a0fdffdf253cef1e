/* Computes the steps of the smoothers and chooses how many a level needs. */
#include "multigrid_smoother.h"

#include <math.h>
#include "multigrid_eigenvalue.h"
#include "kernels/base/constants.h"

/* A level takes the fewest steps that reduce every error on the interval to LEFT of its size. The interval
 * goes from its lower end to the exact upper end (docs/numerics/multigrid.md, "Smoothers"). */
enum { STEPS_LEAST = 2, STEPS_MOST = 6, STEPS_MOST_COUPLED = MULTIGRID_SMOOTHER_STEPS };
/* Narrowings above NARROWED_TOLD are reported as NARROWED_TOLD. */
static const double NARROWED_TOLD = 16;
static const double LEFT = 0.42;
/* The lower end of the interval is this factor times the lowest eigenvalue of waves that the next grid cannot
 * represent. Linear transfers represent the waves near this eigenvalue badly. Constant transfers also
 * represent smooth waves badly; those are left to the conjugate gradients. */
static const double PART_LINEAR = 1 / 1.6, PART_CONSTANT = 1.2;
/* On grids that are paired by coupling, the lower end is PART_COUPLED times as high, LEFT_COUPLED of an error
 * is left, and there are up to STEPS_MOST_COUPLED steps. There the tolerance, which is measured in the
 * thinnest cells, is far below the residual of the start, so that strong smoothing pays. */
static const double LEFT_COUPLED = 0.12, PART_COUPLED = 0.2;
/* If all three directions are coarsened, few waves have eigenvalues above HIGH_CONSTANT. An interval that
 * ends there damps all other waves better. This is done with two steps only, since they hardly amplify the
 * waves beyond their interval. */
static const double HIGH = 2, HIGH_CONSTANT = 1.95;
/* upper end over lower: never less than; of one step, which would leave much on any */
static const double RATIO_LEAST = 2.5, RATIO_ONE_STEP = 6;

/* The steps are the inverse roots of the polynomial. Their order only affects rounding. Leja's order keeps
 * the intermediate values small (Reichel, 1991): each next root has the largest product of distances from the
 * roots before it. */
static void order_of_leja(int n, double *root)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        double farthest = -1;
        for (int j = k; j < n; ++j) {
            double distance = root[j]; /* of the first one from 0 */
            for (int i = 0; i < k; ++i) distance = (i == 0 ? 1 : distance) * fabs(root[j] - root[i]);
            if (distance > farthest) best = j;
            farthest = fmax(farthest, distance);
        }
        const double chosen = root[best];
        root[best] = root[k];
        root[k] = chosen;
    }
}

struct multigrid_smoother multigrid_smoother_make(int steps, double low, double high)
{
    struct multigrid_smoother s = {.steps = steps, .low = low, .high = high};
    double root[MULTIGRID_SMOOTHER_STEPS];
    for (int k = 0; k < steps; ++k)
        root[k] = (high + low) / 2 + (high - low) / 2 * cos(PI * (k + 0.5) / steps);
    order_of_leja(steps, root);
    for (int k = 0; k < steps; ++k) s.step[k] = 1 / root[k];
    s.c0 = s.step[0];
    if (steps == 1) return s;
    s.c1 = s.step[0] * s.step[1];
    s.c0 += s.step[1] - s.c1;
    return s;
}

double multigrid_smoother_left(const struct multigrid_smoother *s, double lambda)
{
    double left = 1;
    for (int k = 0; k < s->steps; ++k) left *= 1 - s->step[k] * lambda;
    return left;
}

/* Upper over lower end of the widest interval on which so many steps leave so much: 1/T_m((ratio + 1)/(ratio
 * - 1)) = left. */
static double widest(int steps, double left)
{
    const double t = tanh(acosh(1 / left) / (2 * steps));
    return steps == 1 ? RATIO_ONE_STEP : 1 / (t * t);
}

static double part_of(int linear)
{
    return linear ? PART_LINEAR : PART_CONSTANT;
}

kol_status multigrid_smoother_narrowed(const struct line line[3], const struct pairs pairs[3], int linear,
                                       double *out)
{
    const double wide = HIGH / (part_of(linear) * widest(STEPS_MOST, LEFT));
    double lowest;
    TRY(multigrid_eigenvalue_lowest(line, pairs, wide / NARROWED_TOLD, &lowest));
    *out = wide / lowest;
    return KOL_OK;
}

kol_status multigrid_smoother_choose(const struct line line[3], const struct pairs pairs[3], int by_coupling,
                                     int steps, int linear, struct multigrid_smoother *out)
{
    const double part = part_of(linear) * (by_coupling ? PART_COUPLED : 1);
    const double left = by_coupling ? LEFT_COUPLED : LEFT;
    const int most = by_coupling ? STEPS_MOST_COUPLED : STEPS_MOST;
    double lowest;
    TRY(multigrid_eigenvalue_lowest(line, pairs, HIGH / widest(MULTIGRID_SMOOTHER_STEPS, left) / part,
                                    &lowest));
    const double wanted = fmax(HIGH / (part * lowest), RATIO_LEAST);
    int m = steps > 0 ? steps : STEPS_LEAST;
    while (steps == 0 && m < most && widest(m, left) < wanted) ++m;
    const int lower = m == 2 && !linear && pairs[0].coarsened && pairs[1].coarsened && pairs[2].coarsened;
    *out = multigrid_smoother_make(m, HIGH / fmin(wanted, widest(m, left)), lower ? HIGH_CONSTANT : HIGH);
    return KOL_OK;
}
