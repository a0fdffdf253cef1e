/* Draws the random amplitudes of the forced waves of a box. */
#include "box_random.h"

#include <math.h>
#include "kernels/base/constants.h"
#include "math/random.h"

/* Second word of the generator's key; the initial flows have another one. */
static const uint32_t KEY = 0x666f7263u;

void box_random_gaussians(int seed, long long step, int pair, double out[4])
{
    const unsigned long long number = (unsigned long long)step;
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)pair, 0},
                   key[2] = {(uint32_t)seed, KEY};
    uint32_t word[4];
    random_philox(counter, key, word);
    for (int n = 0; n < 4; n += 2) { /* Box and Muller; 1 - unit is above 0 */
        const double size = sqrt(-2 * log(1 - random_unit(word[n]))),
                     angle = 2 * PI * random_unit(word[n + 1]);
        out[n] = size * cos(angle);
        out[n + 1] = size * sin(angle);
    }
}

void box_random_start(int seed, int pair, double variance, double complex z[2])
{
    z[0] = z[1] = 0;
    box_random_step(seed, -1, pair, variance, INFINITY, z);
}

void box_random_step(int seed, long long step, int pair, double variance, double ratio, double complex z[2])
{
    const double kept = exp(-ratio), size = sqrt(0.5 * variance * -expm1(-2 * ratio));
    double g[4];
    box_random_gaussians(seed, step, pair, g);
    for (int n = 0; n < 2; ++n) z[n] = kept * z[n] + size * (g[2 * n] + I * g[2 * n + 1]);
}
