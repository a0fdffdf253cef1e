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
 *   spacing    width of a cell where it is uniform; 0 where it is not, and the waves are orthogonal to the
 *              wave vector itself rather than to that of the discrete divergence [L]
 *   shift      phase of wave number 1 at the first point of the component, where the spacing is uniform
 *   component  X, Y or Z
 *   key        of the random numbers
 *   width      of a shell of wavenumbers [1/L]; edge: squares of the lower edges of the shells
 *              [1/L^2]; amplitude: |u| of a wave vector in each shell [U]; both in kernel memory
 *   mean       of the component [U] */
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
 *     out = coefficient at [x][y][z], z fastest; along each direction in the order of FFT_FOURIER (fft.h)
 *
 * The unnormalised backward transform along z, y and x gives the velocity. Where the spacing is not
 * uniform, the transform is dense, with the vectors 1, 2 cos(k x), -2 sin(k x), ... at the points of the
 * component. Each coefficient depends on its place in the grid and on the key alone. The phases and the
 * direction of the wave m come from the counter m; that of -m is the complex conjugate. Waves with a length
 * of two cells in any direction are 0. Writes one value per cell; per value about four sines and 10 rounds
 * of random numbers. */
kol_status isotropic_coefficients(struct isotropic_waves w, int first, int planes, double *out);

KOL_END_C

#endif
