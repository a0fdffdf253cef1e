/* Refuses transforms of planes in single precision: the CPU build has none. */
#include "../fft_single.h"

int fft_single_there(void)
{
    return 0;
}

kol_status fft_single_create(struct box b, int batches, const int *batch, struct fft_single **out)
{
    (void)batches, (void)batch;
    *out = NULL;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %d x %d x %d cells in single precision", b.nx,
          b.ny, b.nz);
}

void fft_single_destroy(struct fft_single **f)
{
    *f = NULL;
}

kol_status fft_single_bytes(struct box b, int batches, const int *batch, size_t *bytes)
{
    (void)batches, (void)batch;
    *bytes = 0;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %d x %d x %d cells in single precision", b.nx,
          b.ny, b.nz);
}

kol_status fft_single_forward(struct fft_single *f, float *values)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %p in single precision", (void *)values);
}

kol_status fft_single_backward(struct fft_single *f, float *values)
{
    (void)f;
    RAISE(KOL_ERR_INTERNAL, "the CPU build has no transform of %p in single precision", (void *)values);
}
