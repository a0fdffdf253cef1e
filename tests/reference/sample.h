/* What kernels/point_sample.h takes from the flow, in slow plain loops; vortices by matrices of strain and
 * rotation and a bisection. */
#ifndef KOL_TESTS_REFERENCE_SAMPLE_H
#define KOL_TESTS_REFERENCE_SAMPLE_H

#include "reference.h"

/* ref_velocity_gradient: out[a][b] = d u_a / d x_b at the centre of cell i. ref_q, ref_lambda2: of such a
 * matrix; the latter to rounding of its largest entry squared, by counting eigenvalues below a bound that
 * closes in. */
void ref_velocity_gradient(const struct ref_grid *g, double *const vel[3], const int i[3], double out[3][3]);
double ref_q(double g[3][3]);
double ref_lambda2(double g[3][3]);

#endif
