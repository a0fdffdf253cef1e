/* Finds the eigenvectors of a dense symmetric matrix by LAPACK. */
#include "../eigen.h"

#include <stdlib.h>

/* LAPACK's divide and conquer, by its Fortran name. */
void dsyevd_(const char *job, const char *triangle, const int *n, double *a, const int *lda, double *lambda,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);

kol_status eigen_symmetric(int n, double *matrix, double *lambda)
{
    const int ask = -1;
    double best = 0;
    int best_int = 0, info = 0;
    dsyevd_("V", "U", &n, matrix, &n, lambda, &best, &ask, &best_int, &ask, &info, 1, 1);
    const int size = (int)best;
    double *work = malloc((size_t)size * sizeof *work);
    int *iwork = malloc((size_t)best_int * sizeof *iwork);
    const int none = work == NULL || iwork == NULL;
    if (!none) dsyevd_("V", "U", &n, matrix, &n, lambda, work, &size, iwork, &best_int, &info, 1, 1);
    free(work);
    free(iwork);
    if (none) RAISE(KOL_ERR_MEMORY, "no memory for the eigenvectors of a matrix of %d rows", n);
    if (info != 0)
        RAISE(KOL_ERR_NUMERICAL, "LAPACK finds no eigenvectors of a matrix of %d rows (dsyevd: %d)", n, info);
    return KOL_OK;
}
