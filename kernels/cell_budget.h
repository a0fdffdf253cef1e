/* Sums over time of what changes the Reynolds stresses in every cell: of the parts of the momentum equations,
 * of gradients, and of their products with velocity and pressure. They are the budgets of the covariances of
 * cell_average.h. docs/statistics.md, "Budgets in every cell". */
#ifndef KOL_KERNELS_CELL_BUDGET_H
#define KOL_KERNELS_CELL_BUDGET_H

#include "cell_average.h"

KOL_BEGIN_C

/* The values of a cell. Each of them is summed as it is. Pairs of components are ordered xx, yy, zz, xy, xz,
 * yz.
 *
 * The first ones come in groups of CELL_RATE_VALUES, one for each of four right-hand sides r of the momentum
 * equations (enum cell_rate): r in the cell, which is the mean over its two faces [U/T], and of each pair
 * a, b the product u_a r_b + u_b r_a [U^2/T]. Those of the wall are behind all others, because only bodies
 * make them. In between there are
 *
 *   CELL_GRADIENT   gradients of the velocity in the cell [1/T]: three along the components' own directions,
 *                   then for each component and each other direction, in the order x, y, z, that towards the
 *                   cell below and that towards the cell above
 *   CELL_STRETCH    for each pair 2 nu times the sum of the products of their gradients [U^2/T]
 *   CELL_STRAIN     for each pair the pressure times (d u_a/d x_b + d u_b/d x_a) [U^3/L] */
enum cell_rate { CELL_CONVECTION, CELL_VISCOSITY, CELL_PRESSURE, CELL_WALL, CELL_RATES };
enum { CELL_PAIRS = 6, CELL_RATE_VALUES = 3 + CELL_PAIRS, CELL_GRADIENTS = 15 };
enum {
    CELL_GRADIENT = CELL_WALL * CELL_RATE_VALUES,
    CELL_STRETCH = CELL_GRADIENT + CELL_GRADIENTS,
    CELL_STRAIN = CELL_STRETCH + CELL_PAIRS,
    CELL_WALL_RATE = CELL_STRAIN + CELL_PAIRS,
    CELL_BUDGET_MOST = CELL_WALL_RATE + CELL_RATE_VALUES
};

/* cell_budget_values: returns the number of values, and of sums, of the budgets in a cell. bodies: whether
 * there are bodies.
 * cell_rate_first: returns the place of the first value of a right-hand side. */
HD int cell_budget_values(int bodies)
{
    return bodies ? CELL_BUDGET_MOST : CELL_WALL_RATE;
}

HD int cell_rate_first(int rate)
{
    return rate == CELL_WALL ? (int)CELL_WALL_RATE : rate * CELL_RATE_VALUES;
}

/* cell_budget_rate: adds a sample of the values of one right-hand side to the sums of all own cells.
 * cell_budget_flow: does the same with gradients and strain. Weights, `latest`, `sum` and `before` are those
 * of cell_average_add(); they begin at the first value of the right-hand side, or at CELL_GRADIENT.
 *
 *   open     as for cell_average_add(); the right-hand side counts as 0 at closed faces
 *   walls    bit f is set if face f of the box is a wall, where it counts as 0, too
 *   vel      velocity [U]; halo as for cell_average_add()
 *   rate     right-hand side at fcc, cfc, ccf [U/T]; one halo layer beyond the high faces, u in x and so on
 *
 * Arrays are in kernel memory. Each cell gets the same bits wherever it lies. With 8-byte values the first
 * one moves 264 bytes a cell (6 reads; 9 values, read and write of 9 sums), and with by.latest 72 more; the
 * second one 680 bytes, and with by.latest 216 more. */
kol_status cell_budget_rate(struct box b, const unsigned char *open, unsigned walls,
                            struct cell_average_weights by, real *const vel[3], real *const rate[3],
                            real *latest, double *sum, double *before);
kol_status cell_budget_flow(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before);

KOL_END_C

#endif
