/* Pairs of plans of cuFFT, forward and backward, in double or in single precision. */
#ifndef KOL_CUDA_FFT_PLANS_CUH
#define KOL_CUDA_FFT_PLANS_CUH

#include "../base/device.h"
#include "../base/mem.h"
#include "check.cuh"
#include "queue.cuh"

#include <cufft.h>
#include <stdlib.h>

#define FFT_TRY(call)                                                                                        \
    do {                                                                                                     \
        const cufftResult fft_try_ = (call);                                                                 \
        if (fft_try_ != CUFFT_SUCCESS)                                                                       \
            RAISE(fft_try_ == CUFFT_ALLOC_FAILED ? KOL_ERR_MEMORY : KOL_ERR_CUDA, "%s: cuFFT status %d",     \
                  #call, (int)fft_try_);                                                                     \
    } while (0)

/* plans: forward and backward, with one piece of scratch for both. */
struct plans {
    cufftHandle forward, backward; /* valid only as far as `made` tells */
    int made;
    void *scratch;
};

/* layout: of the real side of a transform in up to three directions, the slowest first. single: values are
 * float; otherwise they are double. */
struct layout {
    int dims;
    long long n[3], real_embed[3], complex_embed[3], real_apart, complex_apart, batch;
    bool single;
};

static inline kol_status plan_one(cufftHandle *plan, struct layout l, bool forward, size_t *bytes)
{
    const cufftType type = l.single ? (forward ? CUFFT_R2C : CUFFT_C2R) : (forward ? CUFFT_D2Z : CUFFT_Z2D);
    FFT_TRY(cufftCreate(plan));
    FFT_TRY(cufftSetAutoAllocation(*plan, 0));
    FFT_TRY(cufftMakePlanMany64(*plan, l.dims, l.n, forward ? l.real_embed : l.complex_embed, 1,
                                forward ? l.real_apart : l.complex_apart,
                                forward ? l.complex_embed : l.real_embed, 1,
                                forward ? l.complex_apart : l.real_apart, type, l.batch, bytes));
    return KOL_OK;
}

static inline kol_status plans_make(struct plans *p, struct layout l, size_t *bytes)
{
    size_t forward = 0, backward = 0;
    TRY(plan_one(&p->forward, l, true, &forward));
    p->made = 1;
    TRY(plan_one(&p->backward, l, false, &backward));
    p->made = 2;
    *bytes = forward > backward ? forward : backward;
    return KOL_OK;
}

/* is_plain: whether the library transforms complex values of this length without scratch. This was found on
 * an H200 with CUDA 13.0. */
static inline bool is_plain(long long n)
{
    const int primes[] = {2, 3, 5, 7, 11};
    if (n > 2048) return false;
    for (int p : primes)
        while (n % p == 0) n /= p;
    return n == 1;
}

/* scratch_expected: the scratch that plans_make() would report, if there is no GPU to make plans for: none,
 * or as much as the spectrum takes; twice that if rows have an odd length. */
static inline size_t scratch_expected(struct layout l)
{
    const long long row = l.n[l.dims - 1];
    const size_t value = l.single ? sizeof(cufftComplex) : sizeof(cufftDoubleComplex);
    const size_t spectrum = (size_t)l.complex_apart * (size_t)l.batch * value;
    bool plain = is_plain(row % 2 == 0 ? row / 2 : row);
    const bool twice = row % 2 == 1 && !plain;
    for (int d = 0; d < l.dims - 1; ++d) plain = plain && is_plain(l.n[d]);
    return plain ? 0 : twice ? 2 * spectrum : spectrum;
}

static inline void plans_destroy(struct plans *p)
{
    if (p->made > 0) (void)cufftDestroy(p->forward);
    if (p->made > 1) (void)cufftDestroy(p->backward);
    mem_kernel_free(p->scratch);
    p->made = 0;
    p->scratch = NULL;
}

/* scratch_of: asks the library for the scratch of a pair of plans, or expects it where there is no GPU. */
static inline kol_status scratch_of(struct layout l, size_t *bytes)
{
    struct plans p = {0, 0, 0, NULL};
    *bytes = scratch_expected(l);
    if (device_count() == 0) return KOL_OK;
    const kol_status st = plans_make(&p, l, bytes);
    plans_destroy(&p);
    return st;
}

/* Batches of planes of one size share a pair of plans. */
enum { PLANE_SIZES = 2 };

/* plane_sizes: finds the sizes of batches that occur; 0 if there is no second one. */
static inline kol_status plane_sizes(int batches, const int *batch, int size[PLANE_SIZES])
{
    size[0] = size[1] = 0;
    for (int n = 0; n < batches; ++n) {
        if (size[0] == 0 || batch[n] == size[0]) size[0] = batch[n];
        else if (size[1] == 0 || batch[n] == size[1]) size[1] = batch[n];
        else
            RAISE(KOL_ERR_INTERNAL, "batches have %d, %d and %d planes, but at most two sizes are possible",
                  size[0], size[1], batch[n]);
    }
    return KOL_OK;
}

/* batches_copy: copies the sizes of batches; the caller frees them. */
static inline kol_status batches_copy(int batches, const int *batch, int **out)
{
    *out = (int *)malloc((size_t)(batches + 1) * sizeof(int));
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %d batches of planes", batches);
    for (int n = 0; n < batches; ++n) (*out)[n] = batch[n];
    return KOL_OK;
}

static inline kol_status plans_create(struct plans *p, struct layout l)
{
    size_t bytes = 0;
    TRY(plans_make(p, l, &bytes));
    if (bytes == 0) return KOL_OK;
    TRY(mem_kernel_alloc(bytes, &p->scratch));
    FFT_TRY(cufftSetWorkArea(p->forward, p->scratch));
    FFT_TRY(cufftSetWorkArea(p->backward, p->scratch));
    return KOL_OK;
}

#endif
