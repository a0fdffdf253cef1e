/* Transforms planes in single precision, in place, by cuFFT. */
#include "../fft_single.h"
#include "fft_plans.cuh"

struct fft_single {
    ptrdiff_t plane; /* distance from one plane to the next [values] */
    int batches, size[PLANE_SIZES];
    int *batch;
    struct plans plans[PLANE_SIZES];
};

static struct layout layout_packed(struct box b, int planes)
{
    const struct box q = packed_box(b);
    const long long row = q.sy;
    return layout{2, {q.ny, q.nx}, {q.ny, row}, {q.ny, row / 2}, q.sz, q.sz / 2, planes, true};
}

int fft_single_there(void)
{
    return 1;
}

kol_status fft_single_create(struct box b, int batches, const int *batch, struct fft_single **out)
{
    struct fft_single *f = (struct fft_single *)calloc(1, sizeof *f);
    *out = f;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a transform");
    f->plane = packed_box(b).sz;
    f->batches = batches;
    TRY(batches_copy(batches, batch, &f->batch));
    TRY(plane_sizes(batches, batch, f->size));
    for (int n = 0; n < PLANE_SIZES; ++n)
        if (f->size[n] > 0) TRY(plans_create(&f->plans[n], layout_packed(b, f->size[n])));
    return KOL_OK;
}

void fft_single_destroy(struct fft_single **f)
{
    if (*f == NULL) return;
    for (int n = 0; n < PLANE_SIZES; ++n) plans_destroy(&(*f)->plans[n]);
    free((*f)->batch);
    free(*f);
    *f = NULL;
}

kol_status fft_single_bytes(struct box b, int batches, const int *batch, size_t *bytes)
{
    int size[PLANE_SIZES];
    TRY(plane_sizes(batches, batch, size));
    *bytes = 0;
    for (int n = 0; n < PLANE_SIZES; ++n) {
        size_t scratch = 0;
        if (size[n] > 0) TRY(scratch_of(layout_packed(b, size[n]), &scratch));
        *bytes += scratch;
    }
    return KOL_OK;
}

static const struct plans *plans_of(const struct fft_single *f, int batch)
{
    return &f->plans[f->batch[batch] != f->size[0]];
}

kol_status fft_single_forward(struct fft_single *f, float *values)
{
    for (int n = 0; n < f->batches; values += f->batch[n++] * f->plane) {
        const cufftHandle plan = plans_of(f, n)->forward;
        FFT_TRY(cufftSetStream(plan, queue_stream()));
        FFT_TRY(cufftExecR2C(plan, values, (cufftComplex *)values));
    }
    return KOL_OK;
}

kol_status fft_single_backward(struct fft_single *f, float *values)
{
    for (int n = 0; n < f->batches; values += f->batch[n++] * f->plane) {
        const cufftHandle plan = plans_of(f, n)->backward;
        FFT_TRY(cufftSetStream(plan, queue_stream()));
        FFT_TRY(cufftExecC2R(plan, (cufftComplex *)values, values));
    }
    return KOL_OK;
}
