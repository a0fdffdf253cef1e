/* Computes face coordinates by the stretching laws. */
#include "stretching.h"

#include <math.h>
#include "kernels/base/constants.h"
#include "kernels/base/types.h"

/* Stretching laws, s = i/n in [0, 1]:
 *
 *   uniform    x = origin + length s
 *   tanh       two-sided, x = origin + length (1 + tanh(f(2s-1)) / tanh(f)) / 2, the usual law of
 *              channel flow (Moin and Kim, J. Fluid Mech. 118 (1982) 341)
 *   tanh-low   one-sided, x = origin + length (1 + tanh(f (s - 1)) / tanh(f))
 *   tanh-high  the mirror image of tanh-low
 *   geometric  cell i is f^i times as wide as the first one
 *   sine       periodic and smooth, x = origin + length (s - f sin(2 pi s) / (2 pi))
 *
 * geometric: the coordinate of face i, as a part of the length. If the widths grow, they are computed from
 * the last one down, so that no power of the factor overflows. */
static double geometric(int n, double ratio, int i)
{
    const double grown = log(ratio);
    if (grown < 0) return expm1(i * grown) / expm1(n * grown);
    return (exp((i - n) * grown) - exp(-n * grown)) / -expm1(-n * grown);
}

static double face_at(int n, double origin, double length, int stretching, double factor, int i)
{
    if (i == 0) return origin;
    if (i == n) return origin + length;
    const double s = (double)i / n;
    double x = s;
    if (stretching == STRETCHING_TANH) x = 0.5 * (1 + tanh(factor * (2 * s - 1)) / tanh(factor));
    if (stretching == STRETCHING_TANH_LOW) x = 1 + tanh(factor * (s - 1)) / tanh(factor);
    if (stretching == STRETCHING_TANH_HIGH) x = tanh(factor * s) / tanh(factor);
    if (stretching == STRETCHING_GEOMETRIC) x = geometric(n, factor, i);
    if (stretching == STRETCHING_SINE) x = s - factor * sin(2 * PI * s) / (2 * PI);
    return origin + length * x;
}

void stretching_faces(int n, double origin, double length, int stretching, double factor, double *face)
{
    for (int i = 0; i <= n; ++i) face[i] = face_at(n, origin, length, stretching, factor, i);
}

double stretching_width(int n, double origin, double length, int stretching, double factor, int i)
{
    if (stretching == STRETCHING_UNIFORM) return length / n;
    return face_at(n, origin, length, stretching, factor, i + 1) -
           face_at(n, origin, length, stretching, factor, i);
}

static double smallest_width(int n, double origin, double length, int stretching, double factor)
{
    double smallest = INFINITY;
    for (int i = 0; i < n; ++i)
        smallest = fmin(smallest, stretching_width(n, origin, length, stretching, factor, i));
    return smallest;
}

int stretching_too_close(int n, double origin, double length, int stretching, double factor)
{
    for (int i = 0; i < n; ++i) {
        const double low = face_at(n, origin, length, stretching, factor, i),
                     high = face_at(n, origin, length, stretching, factor, i + 1),
                     width = stretching_width(n, origin, length, stretching, factor, i);
        if (!(width > 8 * KOL_EPSILON * fmax(fabs(low), fabs(high)))) return i;
    }
    return -1;
}

double stretching_ratio(const struct input *in, int *thin)
{
    double volume = 1, cells = 1, smallest = INFINITY;
    for (int d = 0; d < 3; ++d) {
        const double width = smallest_width(in->grid.n[d], in->grid.origin[d], in->grid.length[d],
                                            in->grid.stretching[d], in->grid.stretching_factor[d]);
        if (width < smallest) *thin = d;
        smallest = fmin(smallest, width);
        volume *= in->grid.length[d];
        cells *= in->grid.n[d];
    }
    return cbrt(volume / cells) / smallest;
}
