/* Sums over Fourier coefficients: energy, transfer and dissipation in shells of wavenumbers, and in planes
 * normal to each axis. docs/statistics.md.
 *
 * Coefficients are the real ones of fft.h. Along each direction number 0 belongs to the mean, 2m - 1 and 2m
 * belong to wave m, and if n is even, the last one belongs to n/2. */
#ifndef KOL_SHELLS_H
#define KOL_SHELLS_H

#include "base/status.h"

KOL_BEGIN_C

/* The sums of a shell, in units of products of coefficients. */
enum { SHELL_ENERGY, SHELL_TRANSFER, SHELL_DISSIPATION, SHELL_SUMS };

/* shells: the coefficients of a rank. They are the planes first .. first + na - 1 of the na_g planes along a.
 * Coefficient (a, b, t) is value (a nb + b) nt + t. Arrays are in kernel memory.
 *
 *   square     the squared wavenumber [1/L^2] of waves 0 .. n/2 along a, b, t; along t it is (m step)^2
 *   modified   the same for the squared wavenumber that second-order differences see [1/L^2]
 *   edge       shell s holds the waves with edge[s] <= square < edge[s + 1]; edge[0] = 0, and the last edge
 *              is above every wave
 *   start      group g of the rank's planes is start[g] <= a < start[g + 1] */
struct shells {
    int na, nb, nt;  /* coefficients of this rank */
    int first, na_g; /* number of its first plane in the grid; number of planes of the grid */
    int groups, shells;
    const int *start;
    const double *square[3], *modified[3], *edge;
    double step; /* [1/L] */
};

/* shells_sum: computes three sums over the coefficients u, for each group g of planes and each shell s. They
 * are the sums of w u^2, of w u f, and of w u^2 times the squared modified wavenumber,
 *
 *     part[(g SHELL_SUMS + q) shells + s]
 *
 * The weight w is a product over the directions. Its factor is 1 for waves 0 and n/2, and 2 for the other
 * waves, which have both signs. Additions are in the order of a, b, t, so the bits are the same on any ranks.
 * If add is set, the sums are added to what part holds. Per coefficient: 2 reads. */
kol_status shells_sum(struct shells s, int add, const double *u, const double *f, double *part);

/* shells_planes: computes the sums of w u^2 in planes of one wavenumber: along_a[a], and for group g
 * along_b[g nb + b] and along_t[g nt + t]. Here w lacks the factor of the direction that is not summed over.
 * lines: scratch of na nb values. Per coefficient: 2 reads. */
kol_status shells_planes(struct shells s, const double *u, double *lines, double *along_a, double *along_b,
                         double *along_t);

KOL_END_C

#endif
