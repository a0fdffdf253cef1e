/* Computes the coefficients of the Chebyshev iteration by its recurrence. */
#include "chebyshev.h"

struct chebyshev chebyshev_make(int steps, double ratio)
{
    const double high = 2, low = 2 / ratio;
    const double theta = (high + low) / 2, delta = (high - low) / 2, sigma = theta / delta;
    struct chebyshev c = {.theta = theta, .c0 = 1 / theta};
    double rho = 1 / sigma;
    for (int k = 1; k < steps; ++k) {
        const double next = 1 / (2 * sigma - rho);
        c.momentum[k] = next * rho;
        c.step[k] = 2 * next / delta;
        rho = next;
    }
    if (steps == 1) return c;
    c.c0 = (1 + c.momentum[1]) / theta + c.step[1] * (1 - 1 / theta);
    c.c1 = c.step[1] / theta;
    return c;
}
