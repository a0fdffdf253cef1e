/* Draws the random Fourier modes of the synthetic turbulence of an inflow. */
#include "inflow_waves.h"

#include <math.h>
#include "kernels/base/constants.h"
#include "math/random.h"

enum { DRAWS = 8, KEY = 0x696e666c }; /* numbers of a mode, for wave vector, direction, phase; "infl" */

/* Draws DRAWS normally distributed numbers, and one that is uniform in [0, 1). */
static void draw(int seed, int face, int mode, double normal[DRAWS], double *unit)
{
    const uint32_t key[2] = {(uint32_t)seed, KEY};
    uint32_t word[4];
    for (int n = 0; n < DRAWS; n += 2) {
        const uint32_t counter[4] = {(uint32_t)mode, (uint32_t)face, (uint32_t)n, 0};
        random_philox(counter, key, word);
        const double radius = sqrt(-2 * log(1 - random_unit(word[0]))), angle = 2 * PI * random_unit(word[1]);
        normal[n] = radius * cos(angle);
        normal[n + 1] = radius * sin(angle);
        *unit = random_unit(word[2]);
    }
}

void inflow_waves_make(int seed, double length, const struct grid *g, int face, double speed, int modes,
                       struct inflow_wave *wave)
{
    for (int m = 0; m < modes; ++m) {
        struct inflow_wave *w = wave + m;
        double z[DRAWS], unit, square = 0;
        draw(seed, face, m, z, &unit);
        for (int d = 0; d < 3; ++d) {
            w->k[d] = z[d] / length;
            const double whole = 2 * PI / g->length[d];
            if (d != face / 2 && g->periodic[d]) w->k[d] = round(w->k[d] / whole) * whole;
            square += w->k[d] * w->k[d];
        }
        const double size = sqrt(square),
                     scale = sqrt(3.0 / modes); /* 2/modes, times 3/2 because v is orthogonal to k */
        for (int d = 0; d < 3; ++d) {
            const int a = (d + 1) % 3, b = (d + 2) % 3;
            w->v[d] = size > 0 ? scale * (z[3 + a] * w->k[b] - z[3 + b] * w->k[a]) / size : 0;
        }
        w->rate = w->k[face / 2] * speed;
        w->phase = 2 * PI * unit;
    }
}
