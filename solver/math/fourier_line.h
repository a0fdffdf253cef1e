/* Fourier sums along lines of a host array, for the set-up and for spectra. FFTW computes them if the points
 * are uniform; otherwise the sum itself is formed. */
#ifndef KOL_MATH_FOURIER_LINE_H
#define KOL_MATH_FOURIER_LINE_H

#include <complex.h>
#include <stddef.h>
#include "kernels/base/status.h"

struct line_transform;

/* fourier_line_wave: returns the wave index of coefficient i of n: 0, 1, ..., n/2, -(n-1)/2, ..., -1. */
int fourier_line_wave(int i, int n);

/* fourier_line_create: prepares the sums over one line.
 *
 *   length    the period
 *   x         the n points, relative to the start of the period
 *   uniform   whether the points are x[0] + i length/n */
kol_status fourier_line_create(int n, double length, const double *x, int uniform,
                               struct line_transform **out);
void fourier_line_destroy(struct line_transform **l);

/* fourier_line_synthesise: computes, in place,
 *
 *     data[j] = sum over i of data[i] exp(2 pi I fourier_line_wave(i) x[j] / length)
 *
 * Neighbouring values of the line lie `stride` apart in data. Each line is transformed by the same plan, so
 * the bits do not depend on how many lines a rank has. */
void fourier_line_synthesise(const struct line_transform *l, double complex *data, ptrdiff_t stride);

/* fourier_line_library: returns name and version of the FFT library. */
const char *fourier_line_library(void);

#endif
