/* Random amplitudes of the forced waves of a box: Ornstein-Uhlenbeck processes, drawn by a counter-based
 * generator whose counter is the step and the wave. docs/numerics/forcing.md, "Random amplitudes". */
#ifndef KOL_FORCING_BOX_RANDOM_H
#define KOL_FORCING_BOX_RANDOM_H

#include <complex.h>

/* box_random_gaussians: four independent Gaussian numbers with mean 0 and variance 1, for a seed, a step
 * (-1: before the first one) and a pair of waves. */
void box_random_gaussians(int seed, long long step, int pair, double out[4]);

/* box_random_start, box_random_step: draw an amplitude from the stationary distribution, with mean square
 * |z|^2 = variance; take it on by dt with the correlation exp(-dt/time). z[2]: the two amplitudes of a
 * pair. */
void box_random_start(int seed, int pair, double variance, double complex z[2]);
void box_random_step(int seed, long long step, int pair, double variance, double ratio, double complex z[2]);

#endif
