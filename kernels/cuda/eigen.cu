/* Finds the eigenvectors of a dense symmetric matrix by cuSOLVER. */
#include "../eigen.h"
#include "../base/mem.h"
#include "check.cuh"
#include "queue.cuh"

#include <cusolverDn.h>

#define SOLVER_TRY(call)                                                                                     \
    do {                                                                                                     \
        const cusolverStatus_t solver_try_ = (call);                                                         \
        if (solver_try_ != CUSOLVER_STATUS_SUCCESS)                                                          \
            RAISE(KOL_ERR_CUDA, "%s: cuSOLVER status %d", #call, (int)solver_try_);                          \
    } while (0)

/* eigen_memory: what the library works on, in GPU memory. */
struct eigen_memory {
    cusolverDnHandle_t handle;
    double *matrix, *lambda, *work;
    int *info;
};

static kol_status solve(int n, struct eigen_memory *m, double *matrix, double *lambda)
{
    const size_t row = (size_t)n * sizeof(double);
    const cublasFillMode_t half = CUBLAS_FILL_MODE_UPPER;
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    int size = 0, info = 0;
    SOLVER_TRY(cusolverDnCreate(&m->handle));
    SOLVER_TRY(cusolverDnSetStream(m->handle, queue_stream()));
    TRY(mem_kernel_alloc((size_t)n * row, (void **)&m->matrix));
    TRY(mem_kernel_alloc(row, (void **)&m->lambda));
    TRY(mem_kernel_alloc(sizeof *m->info, (void **)&m->info));
    TRY(mem_to_kernel(m->matrix, matrix, (size_t)n * row));
    SOLVER_TRY(cusolverDnDsyevd_bufferSize(m->handle, vectors, half, n, m->matrix, n, m->lambda, &size));
    TRY(mem_kernel_alloc((size_t)size * sizeof(double), (void **)&m->work));
    SOLVER_TRY(
        cusolverDnDsyevd(m->handle, vectors, half, n, m->matrix, n, m->lambda, m->work, size, m->info));
    TRY(mem_to_host(&info, m->info, sizeof info));
    if (info != 0)
        RAISE(KOL_ERR_NUMERICAL, "cuSOLVER finds no eigenvectors of a matrix of %d rows (syevd: %d)", n,
              info);
    TRY(mem_to_host(matrix, m->matrix, (size_t)n * row));
    return mem_to_host(lambda, m->lambda, row);
}

kol_status eigen_symmetric(int n, double *matrix, double *lambda)
{
    struct eigen_memory m = {NULL, NULL, NULL, NULL, NULL};
    const kol_status st = solve(n, &m, matrix, lambda);
    mem_kernel_free(m.matrix);
    mem_kernel_free(m.lambda);
    mem_kernel_free(m.work);
    mem_kernel_free(m.info);
    if (m.handle != NULL) (void)cusolverDnDestroy(m.handle);
    return st;
}
