/* Slow reference for kernels/isotropic.h: the sum of complex waves at a point, in long double. */
#ifndef KOL_TESTS_RANDOM_WAVES_H
#define KOL_TESTS_RANDOM_WAVES_H

#include "kernels/isotropic.h"

/* reference_random_waves: the velocity component of the waves `w` at place x [L], as the sum over all wave
 * vectors of the grid; edge and amplitude of w are host memory. */
double reference_random_waves(const struct isotropic_waves *w, const double x[3]);

#endif
