/* Adds up the random waves of the isotropic initial flow one by one. */
#include "random_waves.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include "solver/math/random.h"

static const long double TURN = 6.283185307179586476925286766559L;

/* Rogallo's coefficient of one wave, for the component at its own place in space. */
static long double complex coefficient(const struct isotropic_waves *w, const int given[3])
{
    int m[3] = {given[0], given[1], given[2]};
    const int mirrored = m[2] < 0 || (m[2] == 0 && (m[1] < 0 || (m[1] == 0 && m[0] < 0)));
    for (int d = 0; d < 3 && mirrored; ++d) m[d] = -m[d];
    const uint32_t counter[4] = {(uint32_t)m[0], (uint32_t)m[1], (uint32_t)m[2], 0};
    uint32_t word[4];
    random_philox(counter, w->key, word);
    long double k[3], square = 0, e1[3] = {0}, e2[3], norm = 0;
    for (int d = 0; d < 3; ++d) {
        const long double plain = w->wave[d] * (long double)m[d];
        square += plain * plain;
        k[d] = w->spacing[d] > 0 ? sinl(plain * w->spacing[d] / 2) * 2 / w->spacing[d] : plain;
        norm += k[d] * k[d];
    }
    int axis = 0;
    for (int d = 1; d < 3; ++d) axis = fabsl(k[d]) < fabsl(k[axis]) ? d : axis;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    const long double flat = sqrtl(k[a] * k[a] + k[b] * k[b]);
    e1[a] = k[b] / flat;
    e1[b] = -k[a] / flat;
    for (int d = 0; d < 3; ++d) {
        const int p = (d + 1) % 3, q = (d + 2) % 3;
        e2[d] = (k[p] * e1[q] - k[q] * e1[p]) / sqrtl(norm);
    }
    int shell = 0;
    while (square >= w->edge[shell + 1]) ++shell;
    const long double angle = TURN * random_unit(word[2]);
    const long double complex value =
        w->amplitude[shell] * (cosl(angle) * e1[w->component] * cexpl(I * TURN * random_unit(word[0])) +
                               sinl(angle) * e2[w->component] * cexpl(I * TURN * random_unit(word[1])));
    return mirrored ? conjl(value) : value;
}

double reference_random_waves(const struct isotropic_waves *w, const double x[3])
{
    long double complex sum = w->mean;
    const int last[3] = {(w->n[0] - 1) / 2, (w->n[1] - 1) / 2, (w->n[2] - 1) / 2};
    for (int mz = -last[2]; mz <= last[2]; ++mz)
        for (int my = -last[1]; my <= last[1]; ++my)
            for (int mx = -last[0]; mx <= last[0]; ++mx) {
                const int m[3] = {mx, my, mz};
                if (mx == 0 && my == 0 && mz == 0) continue;
                long double phase = 0;
                for (int d = 0; d < 3; ++d) phase += w->wave[d] * (long double)m[d] * x[d];
                sum += coefficient(w, m) * cexpl(I * phase);
            }
    return (double)creall(sum);
}
