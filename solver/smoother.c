#include "smoother.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* The steps are the inverse roots of the polynomial. In which order they are taken makes no difference but by rounding: that of Leja,
 * each next one as far as can be from those before by the product of the distances, keeps what stands between them small (Reichel,
 * 1991). */
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

struct smoother smoother_make(int steps, double low, double high)
{
    struct smoother s = {.steps = steps, .low = low, .high = high};
    double root[SMOOTHER_STEPS];
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

double smoother_left(const struct smoother *s, double lambda)
{
    double left = 1;
    for (int k = 0; k < s->steps; ++k) left *= 1 - s->step[k] * lambda;
    return left;
}
