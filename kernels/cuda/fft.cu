/* Changes the basis along lines, planes and boxes: Fourier transforms by cuFFT, dense ones by cuBLAS. */
#include "../fft.h"
#include "../base/constants.h"
#include "../base/mem.h"
#include "../transpose.h"
#include "check.cuh"
#include "fft_plans.cuh"
#include "queue.cuh"

#include <cublas_v2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BLAS_TRY(call)                                                                                       \
    do {                                                                                                     \
        const cublasStatus_t blas_try_ = (call);                                                             \
        if (blas_try_ != CUBLAS_STATUS_SUCCESS)                                                              \
            RAISE(blas_try_ == CUBLAS_STATUS_ALLOC_FAILED ? KOL_ERR_MEMORY : KOL_ERR_CUDA,                   \
                  "%s: cuBLAS status %d", #call, (int)blas_try_);                                            \
    } while (0)

/* A batch has 1/BATCH_PART of the grid's lines, within these limits. The number of lines in a batch is even,
 * because cuFFT needs arrays of doubles that begin at multiples of 16 bytes. All batches of all ranks have
 * the same size. In the last batch of a rank, the lines beyond its own ones may hold any values. */
enum { BATCH_PART = 32, BATCH_LEAST = 64, BATCH_MOST = 8192, SHIFT_THREADS = 256, GRID_MOST = 65535 };

struct fft_lines {
    enum fft_basis basis;
    int n, batch;
    ptrdiff_t lines;
    struct plans plans;
    cufftDoubleComplex *spectrum; /* of one batch */
    cublasHandle_t blas;
    double *vectors; /* dense, and cosines */
};

struct fft_whole {
    struct box box;
    struct plans plans;
    double *copy; /* single precision: the field in double, packed */
};

static int batch_of(ptrdiff_t lines_g)
{
    const ptrdiff_t part = (lines_g + BATCH_PART - 1) / BATCH_PART;
    if (part < BATCH_LEAST) return BATCH_LEAST;
    return part > BATCH_MOST ? BATCH_MOST : (int)(part + part % 2);
}

static ptrdiff_t batches(ptrdiff_t lines, int batch)
{
    return (lines + batch - 1) / batch;
}

ptrdiff_t fft_lines_values(int n, ptrdiff_t lines, ptrdiff_t lines_g)
{
    const int batch = batch_of(lines_g);
    return n * batch * batches(lines, batch);
}

double fft_scale(enum fft_basis basis, int n)
{
    return basis == FFT_FOURIER ? n : 1;
}

static kol_status plans_forward(const struct plans *p, double *in, double *out)
{
    FFT_TRY(cufftSetStream(p->forward, queue_stream()));
    FFT_TRY(cufftExecD2Z(p->forward, in, (cufftDoubleComplex *)out));
    return KOL_OK;
}

static kol_status plans_backward(const struct plans *p, double *in, double *out)
{
    FFT_TRY(cufftSetStream(p->backward, queue_stream()));
    FFT_TRY(cufftExecZ2D(p->backward, (cufftDoubleComplex *)in, out));
    return KOL_OK;
}

static struct layout layout_lines(int n, int batch)
{
    return layout{1, {n}, {n}, {n / 2 + 1}, n, n / 2 + 1, batch, false};
}

size_t fft_lines_bytes(enum fft_basis basis, int n, ptrdiff_t lines_g)
{
    const size_t batch = (size_t)batch_of(lines_g);
    if (basis != FFT_FOURIER) return (size_t)n * (size_t)n * sizeof(double);
    /* spectra of a batch, and as much again for the scratch that the library may need */
    return 2 * batch * (size_t)(n / 2 + 1) * sizeof(cufftDoubleComplex);
}

/* Orthonormal cosines, vector after vector. */
static void fill_cosines(int n, double *vectors)
{
    for (int k = 0; k < n; ++k) {
        const double size = sqrt((k == 0 ? 1.0 : 2.0) / n);
        for (int i = 0; i < n; ++i) /* the angle is reduced to one turn, so that no digits are lost */
            vectors[(size_t)k * n + i] =
                size * cos(PI * (double)((long long)k * (2 * i + 1) % (4LL * n)) / (2.0 * n));
    }
}

static kol_status dense_create(struct fft_lines *f, const double *vectors)
{
    const size_t bytes = (size_t)f->n * (size_t)f->n * sizeof(double);
    double *cosines = NULL;
    kol_status st = KOL_OK;
    BLAS_TRY(cublasCreate(&f->blas));
    TRY(mem_kernel_alloc(bytes, (void **)&f->vectors));
    if (f->basis == FFT_COSINE) {
        TRY(mem_host_alloc(bytes, (void **)&cosines));
        fill_cosines(f->n, cosines);
        vectors = cosines;
    }
    TRY_OR(done, mem_to_kernel(f->vectors, vectors, bytes));
done:
    mem_host_free(cosines);
    return st;
}

kol_status fft_lines_create(enum fft_basis basis, int n, ptrdiff_t lines, ptrdiff_t lines_g,
                            const double *vectors, struct fft_lines **out)
{
    struct fft_lines *f = (struct fft_lines *)calloc(1, sizeof *f);
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    f->basis = basis;
    f->n = n;
    f->lines = lines;
    f->batch = batch_of(lines_g);
    if (basis != FFT_FOURIER) return dense_create(f, vectors);
    const size_t spectrum = (size_t)f->batch * (size_t)(n / 2 + 1) * sizeof *f->spectrum;
    TRY(mem_kernel_alloc(spectrum, (void **)&f->spectrum));
    return plans_create(&f->plans, layout_lines(n, f->batch));
}

void fft_lines_destroy(struct fft_lines **f)
{
    if (*f == NULL) return;
    plans_destroy(&(*f)->plans);
    mem_kernel_free((*f)->spectrum);
    mem_kernel_free((*f)->vectors);
    if ((*f)->blas != NULL) (void)cublasDestroy((*f)->blas);
    free(*f);
    *f = NULL;
}

/* shift_kernel: copies between complex spectra and packed lines of n real coefficients. A line of a spectrum
 * has `width` = 2 (n/2 + 1) doubles. Coefficient 0 is double 0 of the spectrum, and coefficient q > 0 is
 * double q + 1. The imaginary parts for wavenumbers 0 and n/2 are 0, so they are not packed. */
template <bool PACK>
static __global__ void __launch_bounds__(SHIFT_THREADS)
    shift_kernel(int n, int width, int lines, double *spectrum, double *packed)
{
    const int q = (int)(blockIdx.x * SHIFT_THREADS + threadIdx.x);
    if (q >= width) return;
    for (int l = (int)blockIdx.y; l < lines; l += (int)gridDim.y) {
        double *s = spectrum + (ptrdiff_t)l * width + q, *p = packed + (ptrdiff_t)l * n;
        const bool coefficient = q != 1 && q <= n;
        double *const place = p + (q > 0 ? q - 1 : 0);
        if (PACK && coefficient) *place = *s;
        if (!PACK) *s = coefficient ? *place : 0;
    }
}

static kol_status shift(const struct fft_lines *f, bool pack, double *packed)
{
    const int width = 2 * (f->n / 2 + 1);
    const dim3 grid((unsigned)((width + SHIFT_THREADS - 1) / SHIFT_THREADS),
                    (unsigned)(f->batch < GRID_MOST ? f->batch : GRID_MOST));
    double *spectrum = (double *)f->spectrum;
    if (pack)
        shift_kernel<true>
            <<<grid, SHIFT_THREADS, 0, queue_stream()>>>(f->n, width, f->batch, spectrum, packed);
    else
        shift_kernel<false>
            <<<grid, SHIFT_THREADS, 0, queue_stream()>>>(f->n, width, f->batch, spectrum, packed);
    CUDA_LAUNCHED("fft_lines, coefficients");
    return KOL_OK;
}

/* Matrices are column-major. A batch is an n x batch matrix whose columns are lines; the vectors are the
 * columns of another matrix. */
static kol_status multiply(struct fft_lines *f, bool forward, const double *in, double *out)
{
    const double one = 1, zero = 0;
    BLAS_TRY(cublasSetStream(f->blas, queue_stream()));
    BLAS_TRY(cublasDgemm(f->blas, forward ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, f->n, f->batch, f->n,
                         &one, f->vectors, f->n, in, f->n, &zero, out, f->n));
    return KOL_OK;
}

kol_status fft_lines_forward(struct fft_lines *f, double *in, double *out)
{
    const ptrdiff_t step = (ptrdiff_t)f->n * f->batch;
    for (ptrdiff_t b = batches(f->lines, f->batch); b > 0; --b, in += step, out += step) {
        if (f->basis != FFT_FOURIER) {
            TRY(multiply(f, true, in, out));
            continue;
        }
        TRY(plans_forward(&f->plans, in, (double *)f->spectrum));
        TRY(shift(f, true, out));
    }
    return KOL_OK;
}

kol_status fft_lines_backward(struct fft_lines *f, double *in, double *out)
{
    const ptrdiff_t step = (ptrdiff_t)f->n * f->batch;
    for (ptrdiff_t b = batches(f->lines, f->batch); b > 0; --b, in += step, out += step) {
        if (f->basis != FFT_FOURIER) {
            TRY(multiply(f, false, in, out));
            continue;
        }
        TRY(shift(f, false, in));
        TRY(plans_backward(&f->plans, (double *)f->spectrum, out));
    }
    return KOL_OK;
}

int fft_whole_there(void)
{
    return 1;
}

/* In double precision the plans read and write the field in place, with its distances between rows and
 * planes; in single precision they work on a copy. */
static struct layout layout_whole(struct box b, int dims)
{
    const bool in_place_of_field = sizeof(real) == sizeof(double);
    const long long row = in_place_of_field ? b.sy : b.nx, rows = in_place_of_field ? b.sz / b.sy : b.ny;
    const long long spectrum = b.nx / 2 + 1;
    if (dims == 2)
        return layout{2,          {b.ny, b.nx},    {rows, row},     {b.ny, spectrum},
                      rows * row, spectrum * b.ny, (long long)b.nz, false};
    return layout{3,
                  {b.nz, b.ny, b.nx},
                  {b.nz, rows, row},
                  {b.nz, b.ny, spectrum},
                  rows * row * b.nz,
                  spectrum * b.ny * b.nz,
                  1,
                  false};
}

static size_t copy_bytes(struct box b)
{
    return sizeof(real) == sizeof(double) ? 0 : (size_t)b.nx * (size_t)b.ny * (size_t)b.nz * sizeof(double);
}

kol_status fft_whole_create(struct box b, int dims, struct fft_whole **out)
{
    struct fft_whole *f = (struct fft_whole *)calloc(1, sizeof *f);
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    f->box = b;
    if (copy_bytes(b) > 0) TRY(mem_kernel_alloc(copy_bytes(b), (void **)&f->copy));
    return plans_create(&f->plans, layout_whole(b, dims));
}

void fft_whole_destroy(struct fft_whole **f)
{
    if (*f == NULL) return;
    plans_destroy(&(*f)->plans);
    mem_kernel_free((*f)->copy);
    free(*f);
    *f = NULL;
}

kol_status fft_whole_bytes(struct box b, int dims, size_t *bytes)
{
    TRY(scratch_of(layout_whole(b, dims), bytes));
    *bytes += copy_bytes(b);
    return KOL_OK;
}

static struct strided between_field_and_copy(struct box b, bool to_copy)
{
    const struct strided field = {{b.nx, b.ny, b.nz}, {1, b.sy, b.sz}, {1, b.nx, (ptrdiff_t)b.nx * b.ny}};
    struct strided s = field;
    for (int d = 0; d < 3 && !to_copy; ++d) {
        s.from[d] = field.to[d];
        s.to[d] = field.from[d];
    }
    return s;
}

/* The library's interface lacks a const: a forward transform to another array does not change its source.
 * This is called in double precision alone. */
static double *library_view(const real *field)
{
    return (double *)const_cast<real *>(field);
}

kol_status fft_whole_forward(struct fft_whole *f, const real *field, double *spectrum)
{
    const struct box b = f->box;
    if (f->copy == NULL) return plans_forward(&f->plans, library_view(field + b.start), spectrum);
    TRY(transpose_from_field(between_field_and_copy(b, true), field + b.start, f->copy));
    return plans_forward(&f->plans, f->copy, spectrum);
}

kol_status fft_whole_backward(struct fft_whole *f, double *spectrum, real *field)
{
    const struct box b = f->box;
    if (f->copy == NULL) return plans_backward(&f->plans, spectrum, library_view(field + b.start));
    TRY(plans_backward(&f->plans, spectrum, f->copy));
    return transpose_to_field(between_field_and_copy(b, false), f->copy, field + b.start);
}

struct fft_planes {
    ptrdiff_t plane, spectrum; /* distance from one plane to the next [values] */
    int batches, size[PLANE_SIZES];
    int *batch;
    struct plans plans[PLANE_SIZES];
};

static struct layout layout_planes(struct fft_batches s, int batch)
{
    const long long rows = s.plane / s.row, spectrum = s.nx / 2 + 1;
    return layout{2, {s.ny, s.nx}, {rows, s.row}, {s.ny, spectrum}, s.plane, spectrum * s.ny, batch, false};
}

kol_status fft_planes_bytes(struct fft_batches s, size_t *bytes)
{
    int size[PLANE_SIZES];
    TRY(plane_sizes(s.batches, s.batch, size));
    *bytes = 0;
    for (int n = 0; n < PLANE_SIZES; ++n) {
        size_t scratch = 0;
        if (size[n] > 0) TRY(scratch_of(layout_planes(s, size[n]), &scratch));
        *bytes += scratch;
    }
    return KOL_OK;
}

kol_status fft_planes_create(struct fft_batches s, struct fft_planes **out)
{
    struct fft_planes *f = (struct fft_planes *)calloc(1, sizeof *f);
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    f->plane = s.plane;
    f->spectrum = (ptrdiff_t)2 * (s.nx / 2 + 1) * s.ny;
    f->batches = s.batches;
    TRY(batches_copy(s.batches, s.batch, &f->batch));
    TRY(plane_sizes(s.batches, s.batch, f->size));
    for (int n = 0; n < PLANE_SIZES; ++n)
        if (f->size[n] > 0) TRY(plans_create(&f->plans[n], layout_planes(s, f->size[n])));
    return KOL_OK;
}

void fft_planes_destroy(struct fft_planes **f)
{
    if (*f == NULL) return;
    for (int n = 0; n < PLANE_SIZES; ++n) plans_destroy(&(*f)->plans[n]);
    free((*f)->batch);
    free(*f);
    *f = NULL;
}

static const struct plans *plans_of(const struct fft_planes *f, int batch)
{
    return &f->plans[f->batch[batch] != f->size[0]];
}

kol_status fft_planes_forward(struct fft_planes *f, const double *values, double *spectrum)
{
    double *from = const_cast<double *>(values); /* as library_view() */
    for (int n = 0; n < f->batches; ++n) {
        TRY(plans_forward(plans_of(f, n), from, spectrum));
        from += f->batch[n] * f->plane;
        spectrum += f->batch[n] * f->spectrum;
    }
    return KOL_OK;
}

kol_status fft_planes_backward(struct fft_planes *f, double *spectrum, double *values)
{
    for (int n = 0; n < f->batches; ++n) {
        TRY(plans_backward(plans_of(f, n), spectrum, values));
        spectrum += f->batch[n] * f->spectrum;
        values += f->batch[n] * f->plane;
    }
    return KOL_OK;
}

void fft_library(char *text, size_t size)
{
    int v = 0;
    if (cufftGetVersion(&v) == CUFFT_SUCCESS)
        snprintf(text, size, "cufft-%d.%d.%d", v / 1000, v / 100 % 10, v % 100);
    else snprintf(text, size, "cufft");
}
