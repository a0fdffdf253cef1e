/* Computes laminar velocity profiles from the parabola or from the series of the rectangular duct. */
#include "laminar_profile.h"

#include <math.h>
#include "kernels/base/constants.h"

/* Number of terms of the series. The last term is below 1e-6 of the sum, on the walls too. */
enum { TERMS = 60 };

/* cosh(a)/cosh(b), 0 <= a <= b, without overflow. */
static double cosh_ratio(double a, double b)
{
    return exp(a - b) * (1 + exp(-2 * a)) / (1 + exp(-2 * b));
}

/* The series runs over the direction whose walls are nearer to each other, because its terms then fall
 * fastest. */
static int first_side(struct laminar_section s)
{
    return s.half[0] > 0 && (s.half[1] == 0 || s.half[0] <= s.half[1]) ? 0 : 1;
}

double laminar_velocity(struct laminar_section s, const double y[2])
{
    const int first = first_side(s);
    const double a = s.half[first], b = s.half[!first], p = y[first], q = fabs(y[!first]);
    if (a == 0) return 1;
    double sum = 0;
    for (int m = 0; m < TERMS && b > 0; ++m) {
        const int n = 2 * m + 1;
        const double k = n * PI / (2 * a);
        sum += (m % 2 ? -1 : 1) * cosh_ratio(k * q, k * b) * cos(k * p) / ((double)n * n * n);
    }
    return a * a * (0.5 * (1 - p * p / (a * a)) - 16 / (PI * PI * PI) * sum);
}

double laminar_mean(struct laminar_section s)
{
    const int first = first_side(s);
    const double a = s.half[first], b = s.half[!first];
    if (a == 0) return 1;
    double sum = 0;
    for (int m = 0; m < TERMS && b > 0; ++m) {
        const int n = 2 * m + 1;
        sum += tanh(n * PI * b / (2 * a)) / pow(n, 5);
    }
    return a * a / 3 * (1 - (b > 0 ? 192 * a / (pow(PI, 5) * b) * sum : 0));
}
