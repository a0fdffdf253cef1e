/* Eigenvectors of a dense symmetric matrix, for set-up: LAPACK in the CPU build, cuSOLVER in the CUDA build.
 */
#ifndef KOL_EIGEN_H
#define KOL_EIGEN_H

#include "base/status.h"

KOL_BEGIN_C

/* eigen_symmetric: matrix: n x n values in host memory; becomes the orthonormal eigenvectors, vector k in
 * matrix[k n .. k n + n-1]. lambda: n eigenvalues, ascending. KOL_ERR_NUMERICAL where the library finds none.
 */
kol_status eigen_symmetric(int n, double *matrix, double *lambda);

KOL_END_C

#endif
