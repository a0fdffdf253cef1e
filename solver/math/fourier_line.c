/* Computes Fourier sums along lines, by FFTW or by the sum itself. */
#include "fourier_line.h"

#include <fftw3.h>
#include <stdlib.h>
#include "kernels/base/constants.h"

struct line_transform {
    int n;
    int dense; /* whether the matrix is used, not FFTW */
    double complex *in, *out;
    double complex *phase; /* uniform: n factors that shift to the first point; dense: the n x n matrix */
    fftw_plan plan;
};

const char *fourier_line_library(void)
{
    return fftw_version;
}

int fourier_line_wave(int i, int n)
{
    return i <= n / 2 ? i : i - n;
}

static kol_status fill(struct line_transform *l, double length, const double *x)
{
    const int n = l->n, rows = l->dense ? n : 1;
    l->in = fftw_malloc((size_t)n * sizeof *l->in);
    l->out = fftw_malloc((size_t)n * sizeof *l->out);
    l->phase = fftw_malloc((size_t)n * (size_t)rows * sizeof *l->phase);
    if (l->in == NULL || l->out == NULL || l->phase == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for a transform of %d", n);
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < n; ++i) {
            l->phase[(size_t)j * (size_t)n + (size_t)i] =
                cexp(I * (2 * PI / length) * fourier_line_wave(i, n) * x[j]);
        }
    }
    if (l->dense) return KOL_OK;
    /* FFTW_ESTIMATE: neither the plan nor the bits of the result depend on timings */
    l->plan = fftw_plan_dft_1d(n, l->in, l->out, FFTW_BACKWARD, FFTW_ESTIMATE);
    if (l->plan == NULL) RAISE(KOL_ERR_INTERNAL, "FFTW makes no plan for %d points", n);
    return KOL_OK;
}

kol_status fourier_line_create(int n, double length, const double *x, int uniform,
                               struct line_transform **out)
{
    struct line_transform *l = calloc(1, sizeof *l);
    if (l == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    *out = l;
    l->n = n;
    l->dense = !uniform;
    return fill(l, length, x);
}

void fourier_line_destroy(struct line_transform **l)
{
    if (*l == NULL) return;
    if ((*l)->plan != NULL) fftw_destroy_plan((*l)->plan);
    fftw_free((*l)->in);
    fftw_free((*l)->out);
    fftw_free((*l)->phase);
    free(*l);
    *l = NULL;
}

void fourier_line_synthesise(const struct line_transform *l, double complex *data, ptrdiff_t stride)
{
    const int n = l->n;
    for (int i = 0; i < n; ++i) l->in[i] = data[i * stride] * (l->dense ? 1 : l->phase[i]);
    if (l->dense) {
        for (int j = 0; j < n; ++j) {
            double complex sum = 0;
            for (int i = 0; i < n; ++i) sum += l->phase[(size_t)j * (size_t)n + (size_t)i] * l->in[i];
            l->out[j] = sum;
        }
    } else {
        fftw_execute(l->plan);
    }
    for (int j = 0; j < n; ++j) data[j * stride] = l->out[j];
}
