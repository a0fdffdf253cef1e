/* The calls of cuSOLVER that Kolmo makes, on LAPACK: libraries.cpp. */
#ifndef KOL_EMULATOR_CUSOLVER_H
#define KOL_EMULATOR_CUSOLVER_H

#include <cublas_v2.h>

typedef enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_INVALID_VALUE = 3 } cusolverStatus_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR } cusolverEigMode_t;
typedef struct emulator_solver *cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,
                                             cublasFillMode_t half, int n, const double *a, int lda,
                                             const double *lambda, int *size);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t half,
                                  int n, double *a, int lda, double *lambda, double *work, int size,
                                  int *info);

#endif
