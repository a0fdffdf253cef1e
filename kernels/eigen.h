/* Eigenvectors of a dense symmetric matrix, used during set-up. The CPU build uses LAPACK, the CUDA build
 * cuSOLVER. */
#ifndef KOL_EIGEN_H
#define KOL_EIGEN_H

#include "base/status.h"

KOL_BEGIN_C

/* eigen_symmetric: replaces an n x n matrix in host memory by its orthonormal eigenvectors. Vector k is
 * matrix[k n .. k n + n-1]. lambda: out, the n eigenvalues in ascending order. Returns KOL_ERR_NUMERICAL if
 * the library finds none. */
kol_status eigen_symmetric(int n, double *matrix, double *lambda);

KOL_END_C

#endif
