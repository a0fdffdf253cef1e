/* Transforms along one direction, for the exact inverse of docs/numerics/direct.md. Each line of n values is
 * turned into n real coefficients, or back. A line is contiguous, and lines follow each other. Values are
 * double in both precisions. Unless a comment says otherwise, arrays are in kernel memory and work goes to
 * the queue in use. */
#ifndef KOL_FFT_H
#define KOL_FFT_H

#include "base/status.h"

KOL_BEGIN_C

/* The basis.
 *
 *   FFT_FOURIER   coefficient 0 belongs to the mean; 2k - 1 and 2k are the real and imaginary part of
 *                 wavenumber k; if n is even, the last one belongs to n/2
 *   FFT_COSINE    coefficient k belongs to cos(pi k (i + 1/2) / n)
 *   FFT_DENSE     coefficient k belongs to the k-th of n given vectors */
enum fft_basis { FFT_FOURIER, FFT_COSINE, FFT_DENSE };
struct fft_lines;

/* fft_lines_create: prepares the transform of `lines` lines.
 *
 *   lines_g   number of lines of the whole grid, the same on all ranks. Lines are transformed in batches.
 *             Their size depends only on lines_g and n, so the result of a line does not depend on the number
 *             of lines that a rank has.
 *   vectors   for FFT_DENSE: vector k is vectors[k n .. k n + n-1] in host memory, borrowed during the call;
 *             otherwise NULL */
kol_status fft_lines_create(enum fft_basis basis, int n, ptrdiff_t lines, ptrdiff_t lines_g,
                            const double *vectors, struct fft_lines **out);
void fft_lines_destroy(struct fft_lines **f);
/* fft_lines_values: returns the length that the arrays of a transform must have. fft_lines_bytes: returns the
 * kernel memory that fft_lines_create allocates. */
ptrdiff_t fft_lines_values(int n, ptrdiff_t lines, ptrdiff_t lines_g);
size_t fft_lines_bytes(enum fft_basis basis, int n, ptrdiff_t lines_g);
/* fft_lines_forward: computes coefficients from values. A dense transform takes scalar products with the
 * vectors.
 *
 * fft_lines_backward: computes values from coefficients. A forward and a backward transform together multiply
 * a line by fft_scale(). For a dense transform this holds if the vectors are orthonormal.
 *
 * `in` and `out` are two different arrays. The content of `in` may be changed. */
kol_status fft_lines_forward(struct fft_lines *f, double *in, double *out);
kol_status fft_lines_backward(struct fft_lines *f, double *in, double *out);
double fft_scale(enum fft_basis basis, int n);

/* fft_whole: the Fourier transform of all own cells of a field at once, in its first two directions (dims =
 * 2) or in all three. The rank must own these directions completely.
 *
 * The spectrum is complex and has 2 (nx/2 + 1) ny nz values; kx = 0 .. nx/2 is fastest. Transforms are
 * unnormalised: forward and backward together multiply by the number of values of a transform. The backward
 * transform may change the spectrum. fft_whole_there: returns whether this build has this transform. The CPU
 * build does not have it, and its functions return KOL_ERR_INTERNAL. */
struct fft_whole;
int fft_whole_there(void);
kol_status fft_whole_create(struct box b, int dims, struct fft_whole **out);
void fft_whole_destroy(struct fft_whole **f);
/* fft_whole_bytes: computes the kernel memory that fft_whole_create takes. On a machine without a GPU the FFT
 * library cannot be asked; *bytes is then only the part that is known without it. */
kol_status fft_whole_bytes(struct box b, int dims, size_t *bytes);
kol_status fft_whole_forward(struct fft_whole *f, const real *field, double *spectrum);
kol_status fft_whole_backward(struct fft_whole *f, double *spectrum, real *field);

/* fft_planes: the Fourier transform of planes of nx x ny double values, in both directions.
 *
 *   row, plane   distance between rows and between planes, in values
 *   batch        batch[n], n < batches: number of planes that are transformed together; at most two
 *                different sizes
 *
 * The result of a plane depends on the size of its batch and its place there, not on the number of planes.
 * The spectrum is complex and has 2 (nx/2 + 1) ny values a plane; kx is fastest. Transforms are unnormalised.
 * If fft_whole_there() is 0, the functions return KOL_ERR_INTERNAL. */
struct fft_batches {
    int nx, ny;
    ptrdiff_t row, plane;
    int batches;
    const int *batch; /* host memory */
};
struct fft_planes;
/* fft_planes_create: prepares the transform. s.batch is borrowed. fft_planes_bytes: computes the kernel
 * memory that fft_planes_create allocates. On a machine without a GPU the FFT library cannot be asked; *bytes
 * is then only the part that is known without it. */
kol_status fft_planes_create(struct fft_batches s, struct fft_planes **out);
void fft_planes_destroy(struct fft_planes **f);
kol_status fft_planes_bytes(struct fft_batches s, size_t *bytes);
/* fft_planes_forward: transforms values and does not change them. fft_planes_backward: computes values from a
 * spectrum. It may change the spectrum, and it writes nothing between the rows. */
kol_status fft_planes_forward(struct fft_planes *f, const double *values, double *spectrum);
kol_status fft_planes_backward(struct fft_planes *f, double *spectrum, double *values);

/* fft_library: writes name and version of the FFT library into text of size bytes. */
void fft_library(char *text, size_t size);

KOL_END_C

#endif
