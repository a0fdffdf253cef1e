/* The calls of cuFFT that Kolmo makes, on FFTW: libraries.cpp. A plan wants scratch that the caller sets, and
 * refuses to run without. */
#ifndef KOL_EMULATOR_CUFFT_H
#define KOL_EMULATOR_CUFFT_H

#include <cuda_runtime.h>

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_EXEC_FAILED = 6
} cufftResult;
typedef enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c } cufftType;
typedef int cufftHandle;
typedef double2 cufftDoubleComplex;
typedef float2 cufftComplex;

cufftResult cufftCreate(cufftHandle *plan);
cufftResult cufftGetVersion(int *version);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic);
cufftResult cufftMakePlanMany64(cufftHandle plan, int dims, long long *n, long long *in_embed,
                                long long in_stride, long long in_apart, long long *out_embed,
                                long long out_stride, long long out_apart, cufftType type, long long batch,
                                size_t *bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void *scratch);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftExecD2Z(cufftHandle plan, double *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, double *out);
cufftResult cufftExecR2C(cufftHandle plan, float *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, float *out);

#endif
