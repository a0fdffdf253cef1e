/* The forcing of turbulence in a periodic box: the correction of a stage together with the sums that the
 * force of the next stage needs. docs/numerics/forcing.md. */
#ifndef KOL_BOX_FORCING_H
#define KOL_BOX_FORCING_H

#include "projection.h"

KOL_BEGIN_C

/* Numbers that box_correct() leaves. */
enum {
    BOX_SUM_ENERGY,   /* sum of V u.u / 2, each component with its own volume [U^2 L^3] */
    BOX_SUM_MOMENTUM, /* sums of V u, V v, V w [U L^3] */
    BOX_SUMS = BOX_SUM_MOMENTUM + 3
};

/* box_correct: does what project_correct() does, in the same way, and leaves the sums above of the corrected
 * velocity for sums.h. vel: the three components, which are corrected; p_old and p as there. Per cell: 5
 * reads, 4 writes, as without the sums; with c.factor other than 0 it reads the velocity once more. */
kol_status box_correct(struct box b, struct metrics m, struct blocks bl, struct stencil s,
                       struct correction c, const real *phi, const real *p_old, real *p, real *const vel[3]);

/* box_waves: products of one function of each direction, which the force in the waves of a box is made of.
 *
 *   count      number of products
 *   function   function of each direction in product n: 0 is 1; 1 and 2 are the cosine and sine of one
 *              period, 3 and 4 those of two. The products are in the order of their functions of z.
 *   table      table[d][0] has the functions of direction d at the own faces, table[d][1] at the own centres;
 *              value i of function f is number f n + i, with n own cells. In kernel memory. */
enum { BOX_FUNCTIONS = 5, BOX_PRODUCTS = 93 };
struct box_waves {
    int count;
    unsigned char function[3][BOX_PRODUCTS];
    const double *table[3][2];
};

/* box_waves_correct: adds waves to the velocity, does what project_correct() does, and adds up the products
 * of the result with the waves,
 *
 *     u += sum over n of amplitude[X][n] product n;   velocity and pressure as project_correct();
 *     total[d BOX_PRODUCTS + n] = sum over the own cells of u_d product n, for the three components d
 *
 *   amplitude  [U]; product n of component d is evaluated at its points
 *   scale      the power of two by which the sums are multiplied; they are rounded to integers in each
 *              block of the grid, so their order does not matter on any number of ranks
 *   total      out, in kernel memory
 *
 * Per cell: 5 reads, 4 writes; with c.factor other than 0, three reads and writes more.
 *
 * box_waves_sum: does the last part alone. Per cell: 3 reads. */
struct box_amplitudes {
    double amplitude[3][BOX_PRODUCTS];
};
kol_status box_waves_correct(struct box b, struct blocks bl, struct stencil s, struct correction c,
                             struct box_waves waves, struct box_amplitudes add, double scale, const real *phi,
                             const real *p_old, real *p, real *const vel[3], long long *total);
kol_status box_waves_sum(struct box b, struct blocks bl, struct box_waves waves, double scale,
                         real *const vel[3], long long *total);

KOL_END_C

#endif
