/* Changes of basis along one direction, for the exact inverse of docs/numerics/direct.md: many lines of n
 * values, each contiguous, line after line, to as many real coefficients and back. Double in both precisions.
 * All arrays in kernel memory unless said otherwise; in the queue in use. */
#ifndef KOL_FFT_H
#define KOL_FFT_H

#include "base/status.h"

KOL_BEGIN_C

/* The basis. FFT_FOURIER: coefficient 0 is the mean's, 2k - 1 and 2k are real and imaginary part of wave
 * number k; where n is even, the last is that of n/2. FFT_COSINE: coefficient k is that of cos(pi k (i + 1/2)
 * / n). FFT_DENSE: of the k-th of n given vectors. */
enum fft_basis { FFT_FOURIER, FFT_COSINE, FFT_DENSE };
struct fft_lines;

/* fft_lines_create: for `lines` lines. lines_g: those of the whole grid, the same number on all ranks: lines
 * are transformed in batches whose size follows from it and n alone, so that what a line gets does not depend
 * on how many a rank has. vectors: FFT_DENSE: vector k is vectors[k n .. k n + n-1], host memory, borrowed
 * during the call; NULL otherwise. */
kol_status fft_lines_create(enum fft_basis basis, int n, ptrdiff_t lines, ptrdiff_t lines_g,
                            const double *vectors, struct fft_lines **out);
void fft_lines_destroy(struct fft_lines **f);
/* fft_lines_values: length that the arrays of a transform must have. fft_lines_bytes: kernel memory that
 * fft_lines_create takes. */
ptrdiff_t fft_lines_values(int n, ptrdiff_t lines, ptrdiff_t lines_g);
size_t fft_lines_bytes(enum fft_basis basis, int n, ptrdiff_t lines_g);
/* fft_lines_forward: values to coefficients; dense: scalar products with the vectors. fft_lines_backward:
 * coefficients to values; forward, then backward gives the line times fft_scale(), dense: where the vectors
 * are orthonormal. `in` and `out` are two arrays; `in` may be changed. */
kol_status fft_lines_forward(struct fft_lines *f, double *in, double *out);
kol_status fft_lines_backward(struct fft_lines *f, double *in, double *out);
double fft_scale(enum fft_basis basis, int n);

/* fft_whole: the Fourier transform of all own cells of a field in its first two directions (dims = 2) or all
 * three, at once, where a rank has them whole. Spectrum: complex, 2 (nx/2 + 1) ny nz values, kx = 0 .. nx/2
 * fastest. Unnormalised: forward and backward multiply by the number of values of a transform. backward may
 * change the spectrum. fft_whole_bytes: kernel memory that fft_whole_create takes; without a GPU that the
 * library could be asked on, as far as it is known. KOL_ERR_INTERNAL in the CPU build: fft_whole_there() is
 * 0.
 */
struct fft_whole;
int fft_whole_there(void);
kol_status fft_whole_create(struct box b, int dims, struct fft_whole **out);
void fft_whole_destroy(struct fft_whole **f);
kol_status fft_whole_bytes(struct box b, int dims, size_t *bytes);
kol_status fft_whole_forward(struct fft_whole *f, const real *field, double *spectrum);
kol_status fft_whole_backward(struct fft_whole *f, double *spectrum, real *field);

/* fft_planes: the Fourier transform in two directions of planes of nx x ny values of double, rows `row` and
 * planes `plane` values apart. batch[n], n < batches: how many planes are transformed together; at most two
 * different sizes. What a plane gets depends on the size of its batch and its place there, not on how many
 * there are. Spectrum: complex, 2 (nx/2 + 1) ny values a plane, kx fastest. Unnormalised. Where
 * fft_whole_there(); KOL_ERR_INTERNAL elsewhere. */
struct fft_batches {
    int nx, ny;
    ptrdiff_t row, plane;
    int batches;
    const int *batch; /* host memory */
};
struct fft_planes;
/* fft_planes_create: s.batch is borrowed. fft_planes_bytes: as fft_whole_bytes. */
kol_status fft_planes_create(struct fft_batches s, struct fft_planes **out);
void fft_planes_destroy(struct fft_planes **f);
kol_status fft_planes_bytes(struct fft_batches s, size_t *bytes);
/* fft_planes_forward: values stay. fft_planes_backward: the spectrum may change; between rows nothing is
 * written. */
kol_status fft_planes_forward(struct fft_planes *f, const double *values, double *spectrum);
kol_status fft_planes_backward(struct fft_planes *f, double *spectrum, double *values);

KOL_END_C

#endif
