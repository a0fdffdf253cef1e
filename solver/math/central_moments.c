/* Computes central moments from raw ones, and tells fluctuations from rounding. */
#include "central_moments.h"

#include <math.h>
#include "kernels/base/types.h"

/* Smallest variances, as parts of the mean square, that are no rounding: of the raw moments of second order,
 * and for the skewness and the flatness, which also need those of third and fourth order. */
static const double ROUNDING = 1e-13, THIRD = 1e-8, FOURTH = 1e-6;
const double central_moments_least = KOL_EPSILON > 1e-10 ? 1e-12 : 1e-20;

struct central central_moments(const double raw[4], double scale)
{
    const double one = raw[0], two = raw[1], three = raw[2], four = raw[3], square = one * one,
                 v = fmax(two - square, 0), least = central_moments_least * scale;
    struct central c = {v, three - 3 * one * two + 2 * one * square, NAN, NAN};
    if (v > fmax(THIRD * two, least)) c.skewness = c.third / (v * sqrt(v));
    if (v > fmax(FOURTH * two, least))
        c.flatness = (four - 4 * one * three + 6 * square * two - 3 * square * square) / (v * v);
    return c;
}

int central_moments_there(double variance, double square)
{
    return variance > ROUNDING * square;
}

double skewness_of(double two, double three, double scale)
{
    return two > central_moments_least * scale ? three / (two * sqrt(two)) : NAN;
}

double flatness_of(double two, double four, double scale)
{
    return two > central_moments_least * scale ? four / (two * two) : NAN;
}

double central_moments_largest(double so_far, const double *square, ptrdiff_t n)
{
    for (ptrdiff_t k = 0; k < n; ++k) so_far = fmax(so_far, square[k]);
    return so_far;
}
