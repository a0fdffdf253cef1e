/* Moments about the mean from raw ones. */
#ifndef KOL_MATH_CENTRAL_MOMENTS_H
#define KOL_MATH_CENTRAL_MOMENTS_H

#include <stddef.h>

/* Of a mean square of the whole: what rounding and solvers leave where there is nothing. */
extern const double central_moments_least;

struct central {
    double variance, third, skewness, flatness;
};
/* central_moments: from the means of q, q^2, q^3, q^4. scale: a mean square of what q is a part of: of the
 * velocity, where q is a component. Where nothing of q fluctuates but what rounding and solvers leave of a
 * flow of that size, and where the mean is so large that rounding of the raw moments is a few per cent of the
 * central one, skewness and flatness are NaN: below 1e-8 and 1e-6 of q^2, and central_moments_least of scale.
 */
struct central central_moments(const double raw[4], double scale);
/* central_moments_there: whether a variance, made of a mean square less the square of the mean, is more than
 * rounding. */
int central_moments_there(double variance, double square);
/* skewness_of, flatness_of: of a quantity whose mean is 0, from raw moments; scale as above. */
double skewness_of(double two, double three, double scale);
double flatness_of(double two, double four, double scale);
/* central_moments_largest: the larger of `so_far` and the largest of n mean squares, for scale. */
double central_moments_largest(double so_far, const double *square, ptrdiff_t n);

#endif
