/* Changes the basis along lines: Fourier and cosine transforms by FFTW, and dense ones by loops. */
#include "../fft.h"

#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP = 8,
    ROWS = 4
}; /* lines that a dense transform takes together; coefficients that it forms at a time */

struct fft_lines {
    enum fft_basis basis;
    int n;
    ptrdiff_t lines;
    double *line, *coefficient; /* room for one line, for the plans */
    fftw_plan forward, backward;
    double *vectors[2]; /* dense: forward: component i of vector k is at k n + i; backward: at i n + k */
    double *group;      /* dense: values of GROUP lines, side by side */
};

ptrdiff_t fft_lines_values(int n, ptrdiff_t lines, ptrdiff_t lines_g)
{
    (void)lines_g;
    return n * lines;
}

size_t fft_lines_bytes(enum fft_basis basis, int n, ptrdiff_t lines_g)
{
    const size_t line = (size_t)n * sizeof(double);
    (void)lines_g;
    return basis == FFT_DENSE ? (2 * (size_t)n + GROUP) * line : 2 * line + 2 * sizeof(double);
}

double fft_scale(enum fft_basis basis, int n)
{
    return basis == FFT_FOURIER ? n : basis == FFT_COSINE ? 2.0 * n : 1;
}

static kol_status dense_create(struct fft_lines *f, const double *vectors)
{
    const size_t n = (size_t)f->n;
    f->vectors[0] = fftw_malloc(n * n * sizeof(double));
    f->vectors[1] = fftw_malloc(n * n * sizeof(double));
    f->group = fftw_malloc(n * GROUP * sizeof(double));
    if (f->vectors[0] == NULL || f->vectors[1] == NULL || f->group == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for %d eigenvectors", f->n);
    memcpy(f->vectors[0], vectors, n * n * sizeof(double));
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i) f->vectors[1][i * n + k] = vectors[k * n + i];
    return KOL_OK;
}

/* Makes one plan in each direction for one line, which is executed for every line. With FFTW_ESTIMATE neither
 * the plan nor the bits of the result depend on timings. */
static kol_status plans_create(struct fft_lines *f)
{
    const int n = f->n;
    f->line = fftw_malloc((size_t)n * sizeof(double));
    f->coefficient = fftw_malloc((size_t)(n + 2) * sizeof(double));
    if (f->line == NULL || f->coefficient == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a line of %d", n);
    if (f->basis == FFT_FOURIER) {
        fftw_complex *c = (fftw_complex *)f->coefficient;
        f->forward = fftw_plan_dft_r2c_1d(n, f->line, c, FFTW_ESTIMATE);
        f->backward = fftw_plan_dft_c2r_1d(n, c, f->line, FFTW_ESTIMATE);
    } else {
        f->forward = fftw_plan_r2r_1d(n, f->line, f->coefficient, FFTW_REDFT10, FFTW_ESTIMATE);
        f->backward = fftw_plan_r2r_1d(n, f->coefficient, f->line, FFTW_REDFT01, FFTW_ESTIMATE);
    }
    if (f->forward == NULL || f->backward == NULL) RAISE(KOL_ERR_INTERNAL, "FFTW makes no plan for %d", n);
    return KOL_OK;
}

kol_status fft_lines_create(enum fft_basis basis, int n, ptrdiff_t lines, ptrdiff_t lines_g,
                            const double *vectors, struct fft_lines **out)
{
    struct fft_lines *f = calloc(1, sizeof *f);
    (void)lines_g;
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    f->basis = basis;
    f->n = n;
    f->lines = lines;
    return basis == FFT_DENSE ? dense_create(f, vectors) : plans_create(f);
}

void fft_lines_destroy(struct fft_lines **f)
{
    if (*f == NULL) return;
    if ((*f)->forward != NULL) fftw_destroy_plan((*f)->forward);
    if ((*f)->backward != NULL) fftw_destroy_plan((*f)->backward);
    fftw_free((*f)->line);
    fftw_free((*f)->coefficient);
    fftw_free((*f)->vectors[0]);
    fftw_free((*f)->vectors[1]);
    fftw_free((*f)->group);
    free(*f);
    *f = NULL;
}

/* Computes the sum over i of row[r n + i] group[i] for `rows` rows. Each sum is in the order of i, whatever
 * the group. The loop over ROWS rows is unrolled. */
__attribute__((always_inline)) static inline void products(int n, int rows, const double *row,
                                                           const double *group, double sum[ROWS][GROUP])
{
    for (int r = 0; r < rows; ++r)
        for (int l = 0; l < GROUP; ++l) sum[r][l] = 0;
    for (int i = 0; i < n; ++i, group += GROUP) {
        for (int r = 0; r < rows; ++r) {
            const double c = row[(size_t)r * (size_t)n + (size_t)i];
#pragma omp simd
            for (int l = 0; l < GROUP; ++l) sum[r][l] += c * group[l];
        }
    }
}

static void dense(const struct fft_lines *f, const double *vectors, const double *in, double *out)
{
    const int n = f->n;
    double sum[ROWS][GROUP];
    for (ptrdiff_t first = 0; first < f->lines; first += GROUP) {
        const int lines = f->lines - first < GROUP ? (int)(f->lines - first) : GROUP;
        memset(f->group, 0, (size_t)n * GROUP * sizeof(double));
        for (int l = 0; l < lines; ++l)
            for (int i = 0; i < n; ++i) f->group[i * GROUP + l] = in[(first + l) * n + i];
        for (int k = 0; k < n; k += ROWS) {
            const int rows = n - k < ROWS ? n - k : ROWS;
            const double *row = vectors + (size_t)k * (size_t)n;
            if (rows == ROWS) products(n, ROWS, row, f->group, sum);
            else products(n, rows, row, f->group, sum);
            for (int l = 0; l < lines; ++l)
                for (int r = 0; r < rows; ++r) out[(first + l) * n + k + r] = sum[r][l];
        }
    }
}

/* Whether a line may take the place of f->line in a plan. One that lies differently in memory passes through
 * f->line, so that the bits do not depend on where it lies. */
static int lies_alike(const struct fft_lines *f, double *line)
{
    return fftw_alignment_of(line) == fftw_alignment_of(f->line);
}

static void execute_forward(const struct fft_lines *f, double *in)
{
    if (!lies_alike(f, in)) in = memcpy(f->line, in, (size_t)f->n * sizeof(double));
    if (f->basis == FFT_FOURIER) fftw_execute_dft_r2c(f->forward, in, (fftw_complex *)f->coefficient);
    else fftw_execute_r2r(f->forward, in, f->coefficient);
}

static void execute_backward(const struct fft_lines *f, double *out)
{
    double *const to = lies_alike(f, out) ? out : f->line;
    if (f->basis == FFT_FOURIER) fftw_execute_dft_c2r(f->backward, (fftw_complex *)f->coefficient, to);
    else fftw_execute_r2r(f->backward, f->coefficient, to);
    if (to != out) memcpy(out, to, (size_t)f->n * sizeof(double));
}

/* The imaginary parts of coefficients 0 and n/2 are left out, because they are 0. */
kol_status fft_lines_forward(struct fft_lines *f, double *in, double *out)
{
    const size_t n = (size_t)f->n, bytes = n * sizeof(double);
    if (f->basis == FFT_DENSE) {
        dense(f, f->vectors[0], in, out);
        return KOL_OK;
    }
    for (ptrdiff_t l = 0; l < f->lines; ++l, in += n, out += n) {
        execute_forward(f, in);
        if (f->basis == FFT_FOURIER) {
            out[0] = f->coefficient[0];
            memcpy(out + 1, f->coefficient + 2, bytes - sizeof(double));
        } else {
            memcpy(out, f->coefficient, bytes);
        }
    }
    return KOL_OK;
}

kol_status fft_lines_backward(struct fft_lines *f, double *in, double *out)
{
    const size_t n = (size_t)f->n, bytes = n * sizeof(double);
    if (f->basis == FFT_DENSE) {
        dense(f, f->vectors[1], in, out);
        return KOL_OK;
    }
    for (ptrdiff_t l = 0; l < f->lines; ++l, in += n, out += n) {
        if (f->basis == FFT_FOURIER) {
            f->coefficient[0] = in[0];
            f->coefficient[1] = f->coefficient[n + 1] = 0; /* the second is not there if n is odd */
            memcpy(f->coefficient + 2, in + 1, bytes - sizeof(double));
        } else {
            memcpy(f->coefficient, in, bytes);
        }
        execute_backward(f, out);
    }
    return KOL_OK;
}

int fft_whole_there(void)
{
    return 0;
}

kol_status fft_whole_create(struct box b, int dims, struct fft_whole **out)
{
    *out = NULL;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %d x %d x %d cells in %d directions at once",
          b.nx, b.ny, b.nz, dims);
}

void fft_whole_destroy(struct fft_whole **f)
{
    *f = NULL;
}

kol_status fft_whole_bytes(struct box b, int dims, size_t *bytes)
{
    *bytes = 0;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %d x %d x %d cells in %d directions at once",
          b.nx, b.ny, b.nz, dims);
}

kol_status fft_whole_forward(struct fft_whole *f, const real *field, double *spectrum)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %p to %p at once", (const void *)field,
          (void *)spectrum);
}

kol_status fft_whole_backward(struct fft_whole *f, double *spectrum, real *field)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %p to %p at once", (void *)spectrum,
          (void *)field);
}

kol_status fft_planes_create(struct fft_batches s, struct fft_planes **out)
{
    *out = NULL;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of planes of %d x %d values", s.nx, s.ny);
}

void fft_planes_destroy(struct fft_planes **f)
{
    *f = NULL;
}

kol_status fft_planes_bytes(struct fft_batches s, size_t *bytes)
{
    *bytes = 0;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of planes of %d x %d values", s.nx, s.ny);
}

kol_status fft_planes_forward(struct fft_planes *f, const double *values, double *spectrum)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of planes %p to %p", (const void *)values,
          (void *)spectrum);
}

kol_status fft_planes_backward(struct fft_planes *f, double *spectrum, double *values)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %p to planes %p", (void *)spectrum,
          (void *)values);
}

void fft_library(char *text, size_t size)
{
    snprintf(text, size, "%s", fftw_version);
}
