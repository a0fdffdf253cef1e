/* The Fourier transform of planes in single precision, for the exact inverse in single precision
 * (docs/numerics/direct.md). Arrays are in kernel memory, and work goes to the queue in use. */
#ifndef KOL_FFT_SINGLE_H
#define KOL_FFT_SINGLE_H

#include "packed.h"

KOL_BEGIN_C

/* fft_single: the transform of all own cells of a box in x and y, in place. The rank must own these
 * directions completely. The values are those of packed_box(). The spectrum is complex, nx/2 + 1 values a
 * row, in the same places; kx is fastest. Transforms are unnormalised: forward and backward together
 * multiply by nx ny.
 *
 *   batch   batch[n], n < batches: number of planes that are transformed together, nz in all; at most two
 *           different sizes. It is borrowed. The result of a plane depends on the size of its batch and its
 *           place there, not on the number of planes.
 *
 * fft_single_there: returns whether this build has this transform. The CPU build does not have it, and its
 * functions return KOL_ERR_INTERNAL. */
struct fft_single;
int fft_single_there(void);
kol_status fft_single_create(struct box b, int batches, const int *batch, struct fft_single **out);
void fft_single_destroy(struct fft_single **f);
/* fft_single_bytes: computes the kernel memory that fft_single_create takes. On a machine without a GPU the
 * FFT library cannot be asked; *bytes is then only the part that is known without it. */
kol_status fft_single_bytes(struct box b, int batches, const int *batch, size_t *bytes);
kol_status fft_single_forward(struct fft_single *f, float *values);
kol_status fft_single_backward(struct fft_single *f, float *values);

KOL_END_C

#endif
