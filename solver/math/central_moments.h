/* Computes moments about the mean from raw moments. */
#ifndef KOL_MATH_CENTRAL_MOMENTS_H
#define KOL_MATH_CENTRAL_MOMENTS_H

#include <stddef.h>

/* central_moments_least: the part of a mean square of the complete flow that rounding and solvers leave where
 * nothing fluctuates. */
extern const double central_moments_least;

/* central: central moments of a quantity q: the variance, the third moment, the skewness and the flatness. */
struct central {
    double variance, third, skewness, flatness;
};
/* central_moments: computes the central moments of q.
 *
 *   raw     means of q, q^2, q^3 and q^4
 *   scale   a mean square of the flow that q is a part of: that of the velocity, if q is one of its
 *           components
 *
 * The skewness is NaN if the variance is not above 1e-8 raw[1], and the flatness if it is not above 1e-6
 * raw[1]. Below these limits the mean of q is so large that the rounding of the raw moments is a few per
 * cent of the central moment. Both are NaN if the variance is not larger than central_moments_least times
 * scale. Then q does not fluctuate: the variance is only what rounding and solvers leave in a flow with
 * this scale. */
struct central central_moments(const double raw[4], double scale);
/* central_moments_there: returns whether a variance, computed as a mean square less `square`, the square of
 * the mean, is more than rounding. */
int central_moments_there(double variance, double square);
/* skewness_of, flatness_of: return the skewness and the flatness of a quantity whose mean is 0, from its
 * raw moments of order two, three and four. They are NaN if `two` is not larger than central_moments_least
 * times scale. */
double skewness_of(double two, double three, double scale);
double flatness_of(double two, double four, double scale);
/* central_moments_largest: returns the largest of `so_far` and n mean squares, to be used as scale. */
double central_moments_largest(double so_far, const double *square, ptrdiff_t n);

#endif
