/* Transforms planes in single precision, in place, by cuFFT. */
#include "../fft_single.h"
#include "fft_plans.cuh"

#include <stdlib.h>

struct fft_single {
    struct plans plans;
};

static struct layout layout_packed(struct box b)
{
    const struct box q = packed_box(b);
    const long long row = q.sy;
    return layout{2, {q.ny, q.nx}, {q.ny, row}, {q.ny, row / 2}, q.sz, q.sz / 2, (long long)q.nz, true};
}

int fft_single_there(void)
{
    return 1;
}

kol_status fft_single_create(struct box b, struct fft_single **out)
{
    struct fft_single *f = (struct fft_single *)calloc(1, sizeof *f);
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    return plans_create(&f->plans, layout_packed(b));
}

void fft_single_destroy(struct fft_single **f)
{
    if (*f == NULL) return;
    plans_destroy(&(*f)->plans);
    free(*f);
    *f = NULL;
}

kol_status fft_single_bytes(struct box b, size_t *bytes)
{
    return scratch_of(layout_packed(b), bytes);
}

kol_status fft_single_forward(struct fft_single *f, float *values)
{
    FFT_TRY(cufftSetStream(f->plans.forward, queue_stream()));
    FFT_TRY(cufftExecR2C(f->plans.forward, values, (cufftComplex *)values));
    return KOL_OK;
}

kol_status fft_single_backward(struct fft_single *f, float *values)
{
    FFT_TRY(cufftSetStream(f->plans.backward, queue_stream()));
    FFT_TRY(cufftExecC2R(f->plans.backward, (cufftComplex *)values, values));
    return KOL_OK;
}
