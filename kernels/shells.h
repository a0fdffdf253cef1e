/* Sums over Fourier coefficients: energy, transfer and dissipation in shells of wavenumbers, and in planes
 * normal to each axis. Coefficients are those of fft.h, real: along each direction number 0 is the mean's, 2m
 * - 1 and 2m belong to wave m, and where n is even the last one to n/2. docs/statistics.md. */
#ifndef KOL_SHELLS_H
#define KOL_SHELLS_H

#include "base/status.h"

KOL_BEGIN_C

/* What is added up in shells: in units of the products of coefficients. */
enum { SHELL_ENERGY, SHELL_TRANSFER, SHELL_DISSIPATION, SHELL_SUMS };

/* shells: of a rank's coefficients, planes first .. first + na - 1 of the na_g along a: value (a nb + b) nt +
 * t. square, modified: by wave 0 .. n/2 along a, b, t: the wavenumber squared, and the one that differences
 * of second order see [1/L^2]; along t square is (m step)^2. edge: shell s holds the waves with edge[s] <=
 * square < edge[s + 1]; edge[0] = 0, and the last edge is beyond every wave. start: group g of the rank's
 * planes is start[g] <= a < start[g + 1]. Arrays in kernel memory. */
struct shells {
    int na, nb, nt;  /* coefficients of this rank */
    int first, na_g; /* number of its first plane in the grid; planes of the grid */
    int groups, shells;
    const int *start;
    const double *square[3], *modified[3], *edge;
    double step; /* [1/L] */
};

/* shells_sum: for each group g of planes, sum q, shell s, over the coefficients u of the group in the shell,
 * w times the square of u, u times f, the modified wavenumber squared times the square of u, where w counts
 * for the sign of each wavenumber (2 for pairs, 1 for 0 and n/2):
 *
 *     part[(g SHELL_SUMS + q) shells + s]
 *
 * in the order of a, b, t: the same bits on any ranks. add: they are added to what part holds. Per
 * coefficient: 2 reads. */
kol_status shells_sum(struct shells s, int add, const double *u, const double *f, double *part);

/* shells_planes: sums of w u^2 in planes of one wavenumber: along_a[a], along_b[g nb + b], along_t[g nt + t]
 * of group g; w without the factor of the direction that is left. lines: scratch of na nb values. Per
 * coefficient: 2 reads. */
kol_status shells_planes(struct shells s, const double *u, double *lines, double *along_a, double *along_b,
                         double *along_t);

KOL_END_C

#endif
