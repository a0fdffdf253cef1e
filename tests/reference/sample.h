/* Slow plain versions of what kernels/point_sample.h computes from the flow. Q and lambda2 are computed
 * from the matrices of strain and rotation; the eigenvalue is found by bisection. */
#ifndef KOL_TESTS_REFERENCE_SAMPLE_H
#define KOL_TESTS_REFERENCE_SAMPLE_H

#include "reference.h"

/* ref_velocity_gradient: computes out[a][b] = d u_a / d x_b at the centre of cell i. ref_q, ref_lambda2:
 * return Q and lambda2 of such a matrix. lambda2 is found by counting the eigenvalues below a bound; its
 * error is the rounding of the square of the largest entry. */
void ref_velocity_gradient(const struct ref_grid *g, double *const vel[3], const int i[3], double out[3][3]);
/* ref_cell_products: computes velocity and pressure at the centre of cell i, and their products, in the order
 * u, v, w, p, uu, vv, ww, uv, uw, vw, pp, up, vp, wp; then nu times the squares of the
 * gradients of the velocity. */
void ref_cell_products(const struct ref_grid *g, double nu, double *const field[4], const int i[3],
                       double out[15]);
double ref_q(double g[3][3]);
double ref_lambda2(double g[3][3]);

#endif
