/* Stands for cuFFT, cuBLAS and cuSOLVER in the emulator, as far as Kolmo calls them. Calls keep their order
 * in the stream, like kernels. */
#include "emulator.h"
#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>

#include <fftw3.h>

#include <map>
#include <vector>

enum { SCRATCH_BYTES = 512 }; /* what every plan asks for */

struct fft_plan {
    int dims = 0, n[3], in_embed[3], out_embed[3];
    int in_stride, in_apart, out_stride, out_apart, batch;
    cufftType type;
    void *scratch = NULL;
    cudaStream_t stream = NULL;
};
static std::map<cufftHandle, fft_plan> plans;
static cufftHandle last_plan;

cufftResult cufftCreate(cufftHandle *plan)
{
    *plan = ++last_plan;
    plans[*plan] = fft_plan();
    return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version)
{
    *version = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan)
{
    streams_finish();
    return plans.erase(plan) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic)
{
    return plans.count(plan) == 1 && automatic == 0 ? CUFFT_SUCCESS : CUFFT_INVALID_VALUE;
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int dims, long long *n, long long *in_embed,
                                long long in_stride, long long in_apart, long long *out_embed,
                                long long out_stride, long long out_apart, cufftType type, long long batch,
                                size_t *bytes)
{
    if (plans.count(plan) != 1 || dims < 1 || dims > 3) return CUFFT_INVALID_VALUE;
    fft_plan &p = plans[plan];
    p.dims = dims;
    for (int d = 0; d < dims; ++d) {
        p.n[d] = (int)n[d];
        p.in_embed[d] = (int)in_embed[d];
        p.out_embed[d] = (int)out_embed[d];
    }
    p.in_stride = (int)in_stride;
    p.in_apart = (int)in_apart;
    p.out_stride = (int)out_stride;
    p.out_apart = (int)out_apart;
    p.type = type;
    p.batch = (int)batch;
    *bytes = SCRATCH_BYTES;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle plan, void *scratch)
{
    if (plans.count(plan) != 1) return CUFFT_INVALID_PLAN;
    plans[plan].scratch = scratch;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    if (plans.count(plan) != 1) return CUFFT_INVALID_PLAN;
    plans[plan].stream = stream;
    return CUFFT_SUCCESS;
}

/* A plan for each call, of arrays at any address: the same arithmetic each time. */
static void run(const fft_plan &p, double *values, fftw_complex *spectrum)
{
    const unsigned how = FFTW_ESTIMATE | FFTW_UNALIGNED;
    const fftw_plan plan = p.type == CUFFT_D2Z || p.type == CUFFT_R2C
                               ? fftw_plan_many_dft_r2c(p.dims, p.n, p.batch, values, p.in_embed, p.in_stride,
                                                        p.in_apart, spectrum, p.out_embed, p.out_stride,
                                                        p.out_apart, how | FFTW_PRESERVE_INPUT)
                               : fftw_plan_many_dft_c2r(p.dims, p.n, p.batch, spectrum, p.in_embed,
                                                        p.in_stride, p.in_apart, values, p.out_embed,
                                                        p.out_stride, p.out_apart, how | FFTW_DESTROY_INPUT);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

static cufftResult give(cufftHandle plan, cufftType type, double *values, cufftDoubleComplex *spectrum)
{
    if (plans.count(plan) != 1) return CUFFT_INVALID_PLAN;
    const fft_plan p = plans[plan];
    if (p.dims == 0 || p.type != type || p.scratch == NULL) return CUFFT_EXEC_FAILED;
    stream_give(p.stream, [=] { run(p, values, (fftw_complex *)spectrum); });
    return CUFFT_SUCCESS;
}

cufftResult cufftExecD2Z(cufftHandle plan, double *in, cufftDoubleComplex *out)
{
    return give(plan, CUFFT_D2Z, in, out);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, double *out)
{
    return give(plan, CUFFT_Z2D, out, in);
}

/* Number of values from the first to the last that a transform reads or writes on one side. */
static size_t extent(const fft_plan &p, const int embed[3], int apart, int row)
{
    size_t one = (size_t)row;
    for (int d = p.dims - 2, below = embed[p.dims - 1]; d >= 0; below *= embed[d--])
        one += (size_t)(p.n[d] - 1) * (size_t)below;
    return (size_t)apart * (size_t)(p.batch - 1) + one;
}

/* Transforms in single precision are rounded from those in double. In place, `values` and `spectrum` are the
 * same memory; between the rows of a result nothing is written. */
static void run_single(const fft_plan &p, float *values, float *spectrum)
{
    const bool forward = p.type == CUFFT_R2C;
    const int nx = p.n[p.dims - 1], ny = p.dims > 1 ? p.n[p.dims - 2] : 1, nz = p.dims > 2 ? p.n[0] : 1;
    const int *const real_embed = forward ? p.in_embed : p.out_embed, *const complex_embed =
                                                                          forward ? p.out_embed : p.in_embed;
    const int real_apart = forward ? p.in_apart : p.out_apart,
              complex_apart = forward ? p.out_apart : p.in_apart;
    std::vector<double> of_real(extent(p, real_embed, real_apart, nx)),
        of_complex(2 * extent(p, complex_embed, complex_apart, nx / 2 + 1));
    std::vector<double> &from = forward ? of_real : of_complex, &to = forward ? of_complex : of_real;
    const float *const source = forward ? values : spectrum;
    float *const target = forward ? spectrum : values;
    const ptrdiff_t parts = forward ? 2 : 1, row = parts * (forward ? complex_embed : real_embed)[p.dims - 1],
                    plane = p.dims > 1 ? row * (forward ? complex_embed : real_embed)[p.dims - 2] : row,
                    apart = parts * (forward ? complex_apart : real_apart),
                    count = parts * (forward ? nx / 2 + 1 : nx);
    for (size_t n = 0; n < from.size(); ++n) from[n] = source[n];
    run(p, of_real.data(), (fftw_complex *)of_complex.data());
    for (int b = 0; b < p.batch; ++b)
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (ptrdiff_t i = 0; i < count; ++i) {
                    const ptrdiff_t place = b * apart + k * plane + j * row + i;
                    target[place] = (float)to[(size_t)place];
                }
}

static cufftResult give_single(cufftHandle plan, cufftType type, float *values, cufftComplex *spectrum)
{
    if (plans.count(plan) != 1) return CUFFT_INVALID_PLAN;
    const fft_plan p = plans[plan];
    if (p.dims == 0 || p.type != type || p.scratch == NULL) return CUFFT_EXEC_FAILED;
    stream_give(p.stream, [=] { run_single(p, values, (float *)spectrum); });
    return CUFFT_SUCCESS;
}

cufftResult cufftExecR2C(cufftHandle plan, float *in, cufftComplex *out)
{
    return give_single(plan, CUFFT_R2C, in, out);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, float *out)
{
    return give_single(plan, CUFFT_C2R, out, in);
}

struct emulator_blas {
    cudaStream_t stream;
};

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = new emulator_blas();
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    streams_finish();
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const double *alpha, const double *a, int lda, const double *b,
                           int ldb, const double *beta, double *c, int ldc)
{
    if (op_b != CUBLAS_OP_N || *alpha != 1 || *beta != 0) return CUBLAS_STATUS_INVALID_VALUE;
    stream_give(handle->stream, [=] {
        const ptrdiff_t step = op_a == CUBLAS_OP_T ? 1 : lda, next = op_a == CUBLAS_OP_T ? lda : 1;
        std::vector<double> sum((size_t)m);
        for (int j = 0; j < n; ++j) {
            sum.assign((size_t)m, 0);
            for (int l = 0; l < k; ++l)
                for (int i = 0; i < m; ++i)
                    sum[(size_t)i] += a[i * next + l * step] * b[l + (ptrdiff_t)j * ldb];
            for (int i = 0; i < m; ++i) c[i + (ptrdiff_t)j * ldc] = sum[(size_t)i];
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}

extern "C" void dsyevd_(const char *job, const char *triangle, const int *n, double *a, const int *lda,
                        double *lambda, double *work, const int *lwork, int *iwork, const int *liwork,
                        int *info, size_t, size_t);

struct emulator_solver {
    cudaStream_t stream;
};

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    *handle = new emulator_solver();
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    streams_finish();
    delete handle;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

static int work_size(int n)
{
    return 1 + 6 * n + 2 * n * n; /* of dsyevd with vectors */
}

cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t mode, cublasFillMode_t,
                                             int n, const double *, int, const double *, int *size)
{
    *size = work_size(n);
    return mode == CUSOLVER_EIG_MODE_VECTOR ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t half,
                                  int n, double *a, int lda, double *lambda, double *work, int size,
                                  int *info)
{
    if (mode != CUSOLVER_EIG_MODE_VECTOR || size < work_size(n)) return CUSOLVER_STATUS_INVALID_VALUE;
    stream_give(handle->stream, [=] {
        std::vector<int> integers((size_t)(3 + 5 * n));
        const int count = (int)integers.size();
        dsyevd_("V", half == CUBLAS_FILL_MODE_UPPER ? "U" : "L", &n, a, &lda, lambda, work, &size,
                integers.data(), &count, info, 1, 1);
    });
    return CUSOLVER_STATUS_SUCCESS;
}
