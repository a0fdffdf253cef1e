/* Slow plain versions of the operators of kernels/scalar.h. Like reference.h: flat periodic arrays of the
 * whole grid. They are written face by face instead of cell by cell. */
#ifndef KOL_TESTS_REFERENCE_SCALAR_H
#define KOL_TESTS_REFERENCE_SCALAR_H

#include "reference.h"

/* ref_scalar_rhs: computes the right-hand side of a scalar. gradient: three values; NULL stands for 0. */
void ref_scalar_rhs(const struct ref_grid *g, double kappa, double source, const double *gradient,
                    double *const vel[3], const double *theta, double *rhs);

/* ref_scalar_limited: computes the right-hand side with Koren's limiter, and no diffusion or source, in the
 * form of its function psi. Returns the numerical dissipation of theta^2/2, times the volume. */
double ref_scalar_limited(const struct ref_grid *g, double *const vel[3], const double *theta, double *rhs);

/* ref_scalar_numbers: the numbers of scalar_record(). */
struct ref_scalar_numbers {
    double square, scatter, flux[3], above, below;
};
struct ref_scalar_numbers ref_scalar_record(const struct ref_grid *g, double mean, double *const vel[3],
                                            const double *theta);

/* The same with closed faces, through which nothing passes, and solid cells, which do not count. open:
 * bits of the open faces of each cell, 2 * direction + side; 0 in solid cells. */
void ref_scalar_rhs_open(const struct ref_grid *g, double kappa, double source, double *const vel[3],
                         const double *theta, const unsigned char *open, double *rhs);
struct ref_scalar_numbers ref_scalar_record_open(const struct ref_grid *g, double mean, double *const vel[3],
                                                 const double *theta, const unsigned char *open);

#endif
