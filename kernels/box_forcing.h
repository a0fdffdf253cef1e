/* The forcing of turbulence in a periodic box: the sums over the grid that the force of a stage needs, and
 * fields of waves. docs/numerics/forcing.md. */
#ifndef KOL_BOX_FORCING_H
#define KOL_BOX_FORCING_H

#include "projection.h"

KOL_BEGIN_C

/* Numbers that box_motion() leaves. */
enum {
    BOX_SUM_ENERGY,   /* sum of V u.u / 2, each component with its own volume [U^2 L^3] */
    BOX_SUM_MOMENTUM, /* sums of V u, V v, V w [U L^3] */
    BOX_SUMS = BOX_SUM_MOMENTUM + 3
};

/* box_motion: leaves the sums above of the velocity for sums.h, with the bits of project_limits(). vel: the
 * own cells of the three components. Per cell: 3 reads. */
kol_status box_motion(struct box b, struct metrics m, struct blocks bl, real *const vel[3]);

/* box_waves: products of one function of each direction, which the force in the waves of a box is made of.
 *
 *   count      number of products
 *   function   function of each direction in product n: 0 is 1; 1 and 2 are the cosine and sine of one
 *              period, 3 and 4 those of two. The products are in the order of their functions of z.
 *   x, y       the functions of x and y at the own centres; value i of function f is number f n + i, with n
 *              own cells. In kernel memory
 *   z          those of z but for function 0: value k of function f is number BOX_QUAD k + f - 1. A multiple
 *              of 16 bytes, in kernel memory
 *
 * All components are evaluated with the products at the centre of their cell. That their points lie half a
 * cell below it is a factor of each wave, which the caller knows. */
enum { BOX_PRODUCTS = 93 };
struct box_waves {
    int count;
    unsigned char function[3][BOX_PRODUCTS];
    const double *x, *y, *z;
};

/* box_waves_rows: finds the amplitudes of the functions of x in each row of the grid,
 *
 *     (function f of component d) = sum over the products n with function f of x of
 *                                   amplitude[d][n] (its functions of y and z)
 *
 * amplitude: [U]. rows: out, the rows of struct box_rows, BOX_ROW ny nz values in kernel memory.
 * project_correct() adds such a field to the velocity.
 *
 * box_waves_add: adds it alone, u += waves at the own cells. Per cell: 3 reads, 3 writes. */
struct box_amplitudes {
    double amplitude[3][BOX_PRODUCTS];
};
kol_status box_waves_rows(struct box b, struct box_waves waves, struct box_amplitudes add, double *rows);
kol_status box_waves_add(struct box b, struct box_rows waves, real *const vel[3]);

/* box_wave_sums: sums of the velocity times each product,
 *
 *     total[d BOX_PRODUCTS + n] = sum over the own cells of u_d product n, for the three components d
 *
 *   scale   the power of two by which the sums are multiplied; they are rounded to whole numbers in each
 *           block of the grid, so their order does not matter on any number of ranks
 *   total   BOX_TOTALS numbers in kernel memory; the sums are the first 3 BOX_PRODUCTS */
enum { BOX_COPIES = 32, BOX_COPY = 3 * BOX_PRODUCTS + 9, BOX_TOTALS = BOX_COPIES * BOX_COPY };
struct box_wave_sums {
    struct box_waves waves;
    double scale;
    long long *total;
};

/* box_waves_begin: begins such sums. box_waves_divergence, box_waves_divergence_single: do what
 * project_divergence() and project_divergence_single() do, and add the cells of the call to the sums. These
 * are then of the predicted velocity. Per cell: 3 reads, 1 write, as without the sums.
 * box_waves_finish: ends the sums, when all cells have been added.
 *
 * box_waves_sum: does all of it for a velocity, in a sweep of its own. Per cell: 3 reads. */
kol_status box_waves_begin(struct box_wave_sums sums);
kol_status box_waves_divergence(struct box b, struct metrics m, struct blocks bl, struct cells cells,
                                real dts, const real *u, const real *v, const real *w, real *rhs,
                                struct box_wave_sums sums);
kol_status box_waves_divergence_single(struct box b, struct box q, struct metrics m, struct blocks bl,
                                       struct cells cells, real dts, real scale, const real *u, const real *v,
                                       const real *w, float *rhs, struct box_wave_sums sums);
kol_status box_waves_finish(struct box_wave_sums sums);
kol_status box_waves_sum(struct box b, struct blocks bl, real *const vel[3], struct box_wave_sums sums);

KOL_END_C

#endif
