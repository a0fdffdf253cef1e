/* Coefficients of the Chebyshev iteration, for the polynomial preconditioner. */
#ifndef KOL_POISSON_CHEBYSHEV_H
#define KOL_POISSON_CHEBYSHEV_H

/* chebyshev: for (A/D) z = y = r/D on [low, high]: with theta, delta the centre and half width and sigma =
 * theta/delta, rho_0 = 1/sigma, d_0 = y/theta;  rho_k = 1/(2 sigma - rho_(k-1)), d_k = rho_k rho_(k-1)
 * d_(k-1) + (2 rho_k/delta) (y - (A/D) z_(k-1)),   z_k = z_(k-1) + d_k : momentum[k] and step[k] are the two
 * factors, k = 1 .. (Saad, Iterative Methods for Sparse Linear Systems, 2003, section 12.3). c0, c1: from z =
 * 0 the first two steps at once, z_1 = c0 y + c1 (1 - A/D) y, since (A/D) z_0 = (y - (1 - A/D) y)/theta. */
enum { CHEBYSHEV_STEPS = 17 };
struct chebyshev {
    double theta, c0, c1;
    double momentum[CHEBYSHEV_STEPS], step[CHEBYSHEV_STEPS];
};

/* chebyshev_make: `steps` steps, z_0 .. z_(steps-1), on [2/ratio, 2]; at most CHEBYSHEV_STEPS. With one step
 * c1 = 0, c0 = 1/theta. */
struct chebyshev chebyshev_make(int steps, double ratio);

#endif
