/* The coefficients of the Chebyshev iteration, for the polynomial preconditioner. */
#ifndef KOL_POISSON_CHEBYSHEV_H
#define KOL_POISSON_CHEBYSHEV_H

/* chebyshev: the iteration for (A/D) z = y = r/D, if the eigenvalues of A/D lie in [low, high]. With theta
 * the centre of this interval, delta its half width, and sigma = theta/delta:
 *
 *     rho_0 = 1/sigma,                       d_0 = y/theta,   z_0 = d_0
 *     rho_k = 1/(2 sigma - rho_(k-1)),       k = 1, 2, ...
 *     d_k   = rho_k rho_(k-1) d_(k-1) + (2 rho_k/delta) (y - (A/D) z_(k-1))
 *     z_k   = z_(k-1) + d_k
 *
 * (Saad, Iterative Methods for Sparse Linear Systems, 2003, section 12.3.)
 *
 *   momentum   momentum[k] = rho_k rho_(k-1)
 *   step       step[k] = 2 rho_k/delta
 *   c0, c1     coefficients of the first two steps together, from z = 0: z_1 = c0 y + c1 (1 - A/D) y. They
 *              follow from (A/D) z_0 = (y - (1 - A/D) y)/theta. */
enum { CHEBYSHEV_STEPS = 17 };
struct chebyshev {
    double theta, c0, c1;
    double momentum[CHEBYSHEV_STEPS], step[CHEBYSHEV_STEPS];
};

/* chebyshev_make: returns the coefficients of `steps` steps, z_0 .. z_(steps-1), on [2/ratio, 2]. There may
 * be at most CHEBYSHEV_STEPS. With one step, c0 = 1/theta and c1 = 0. */
struct chebyshev chebyshev_make(int steps, double ratio);

#endif
