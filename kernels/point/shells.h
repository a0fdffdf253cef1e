/* Waves and weights of real Fourier coefficients, and the terms of one of them, for both backends. */
#ifndef KOL_POINT_SHELLS_H
#define KOL_POINT_SHELLS_H

#include "../shells.h"

/* shell_wave: returns the number of the wave to which coefficient q belongs. shell_weight: returns 2,
 * because a wave stands for both signs of its wavenumber; waves 0 and n/2 have only one sign, and for them
 * it returns 1. */
HD int shell_wave(int q)
{
    return (q + 1) / 2;
}

HD double shell_weight(int q, int n)
{
    return q == 0 || 2 * shell_wave(q) == n ? 1 : 2;
}

HD void shell_terms(double weight, double modified, double u, double f, double t[SHELL_SUMS])
{
    const double wu = weight * u;
    t[SHELL_ENERGY] = wu * u;
    t[SHELL_TRANSFER] = wu * f;
    t[SHELL_DISSIPATION] = modified * (wu * u);
}

#endif
