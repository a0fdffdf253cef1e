/* The waves of a periodic box that 'low-wavenumber' forces: complex amplitudes, and how they follow from sums
 * over products of sines and cosines and lead to such products. docs/numerics/forcing.md. No MPI, no grid
 * memory. */
#ifndef KOL_FORCING_BOX_WAVE_SET_H
#define KOL_FORCING_BOX_WAVE_SET_H

#include <complex.h>
#include "inputs/input.h"
#include "kernels/box_forcing.h"

/* box_wave_set: the pairs of waves k and -k, and the products that they consist of.
 *
 *   periods      of the wave k of each pair along x, y, z
 *   modified     its modified wavenumber, 2 sin(k h/2)/h along each direction [1/L]
 *   across       two unit vectors orthogonal to that
 *   to_centre    for each component, exp(i k.s) with the way s from its points to the centre of their cell
 *   product      the number of the product of function f, g, h of x, y, z; -1: no wave needs it
 *   waves        the products; their tables are not set */
enum { BOX_PAIRS = 46 };
struct box_wave_set {
    int pairs;
    int periods[BOX_PAIRS][3];
    double modified[BOX_PAIRS][3], across[BOX_PAIRS][2][3];
    double complex to_centre[BOX_PAIRS][3];
    int product[BOX_FUNCTIONS][BOX_FUNCTIONS][BOX_FUNCTIONS];
    struct box_waves waves;
};

/* box_wave_set_make: finds the waves that the inputs ask for; the spacings are uniform. */
void box_wave_set_make(const struct input *in, struct box_wave_set *set);

/* A field of waves is the sum over the pairs of 2 Re(c exp(i k.x)), with the complex vector c of each pair.
 *
 *   box_wave_function   returns the value of function number f at a phase. There are BOX_FUNCTIONS functions,
 *                       whose period is that of the phase
 *   box_waves_find      finds the vectors c of the velocity from mean[d][n], the mean over the box of
 *                       component d times product n at the centre of its cell. The part of c along the
 *                       modified wavenumber is removed
 *   box_waves_expand    returns the amplitudes of the products, at the centres of the cells, in the field
 *                       with the vectors c
 *   box_waves_dot       returns the mean over the box of the scalar product of two fields */
typedef double complex box_vector[3];
double box_wave_function(int f, double phase);
void box_waves_find(const struct box_wave_set *set, double mean[3][BOX_PRODUCTS], box_vector c[BOX_PAIRS]);
struct box_amplitudes box_waves_expand(const struct box_wave_set *set, box_vector *c);
double box_waves_dot(const struct box_wave_set *set, box_vector *a, box_vector *b);

#endif
