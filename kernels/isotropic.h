/* Random waves of the isotropic initial flow: the coefficients of one velocity component, whose transform
 * (fft.h) is the flow. docs/numerics/initial.md, "Isotropic turbulence". */
#ifndef KOL_KERNELS_ISOTROPIC_H
#define KOL_KERNELS_ISOTROPIC_H

#include <stdint.h>
#include "base/status.h"

KOL_BEGIN_C

/* isotropic_waves: the waves of a grid.
 *
 *   n          number of cells of the grid in each direction
 *   wave       2 pi over the length of the box [1/L]
 *   spacing    width of a cell in each direction [L]; 0 where widths differ. Velocities are orthogonal to the
 *              wave vector of the discrete divergence, or, where this is 0, to the wave vector itself
 *   shift      phase of wave number 1 at the first point of the component, for directions of equal widths
 *   component  X, Y or Z
 *   key        key of the random numbers
 *   width      width of a shell of wavenumbers [1/L]
 *   edge       squares of the lower edges of the shells [1/L^2]; in kernel memory
 *   amplitude  |u| of a wave vector in each shell [U]; in kernel memory
 *   mean       mean of the component [U] */
struct isotropic_waves {
    int n[3];
    double wave[3], spacing[3], shift[3];
    int component;
    uint32_t key[2];
    double width;
    const double *edge, *amplitude;
    double mean;
};

/* isotropic_coefficients: computes the coefficients in planes first .. first + planes - 1 normal to x.
 *
 *   out   coefficients at [x][y][z], z fastest, in each direction in the order of FFT_FOURIER (fft.h)
 *
 * Their unnormalised backward transform along z, y and x is the velocity. In directions without uniform
 * spacing, this transform is dense, with the vectors 1, 2 cos(k x), -2 sin(k x), ... at the points of the
 * component. Each coefficient depends on its place in the grid and on the key alone. The phases and the
 * direction of wave m come from random number m; wave -m has the complex conjugate. Waves whose length is two
 * cells in any direction are 0. A value takes about four sines and 10 rounds of random numbers. */
kol_status isotropic_coefficients(struct isotropic_waves w, int first, int planes, double *out);

KOL_END_C

#endif
