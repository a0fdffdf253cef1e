/* Sums over time of velocity, pressure and their products in every cell, for averages of flows without a
 * homogeneous direction. docs/statistics.md, "Every cell". */
#ifndef KOL_KERNELS_CELL_AVERAGE_H
#define KOL_KERNELS_CELL_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* CELL_AVERAGE_VALUES: the number of values of a sample in a cell. They are u, v, w at the centre, each the
 * mean of two faces [U], the pressure [U^2], and the rate at which viscosity dissipates kinetic energy
 * [U^3/L]. What is summed are the values themselves and the products of the first four. */
enum { CELL_AVERAGE_VALUES = 5 };
enum cell_average_sum {
    CELL_U,
    CELL_V,
    CELL_W,
    CELL_P,
    CELL_UU,
    CELL_VV,
    CELL_WW,
    CELL_UV,
    CELL_UW,
    CELL_VW,
    CELL_PP,
    CELL_UP,
    CELL_VP,
    CELL_WP,
    CELL_DISSIPATION,
    CELL_AVERAGE_SUMS
};

/* If the flow has scalars, each of them is one more value behind these, and has these sums behind those
 * above. */
enum cell_scalar_sum {
    CELL_T, /* the scalar [own] */
    CELL_TT,
    CELL_UT, /* its products with u, v, w of the cell [own U] */
    CELL_VT,
    CELL_WT,
    CELL_SCALAR_SUMS
};
enum { CELL_SCALARS_MOST = 8 };

/* If cells turn from fluid to solid or back, one more value says what a cell is: 1 in the fluid, 0 in a
 * solid. It is behind all others, and its own sum, the weight of the samples in which the cell was fluid, is
 * behind all other sums.
 *
 * cell_average_values, _sums: return the number of values and of sums in a cell, with this many scalars.
 * turns: 1 if cells turn, 0 otherwise.
 * cell_average_fluid: returns the place of the weight among the sums. */
HD int cell_average_values(int scalars, int turns)
{
    return CELL_AVERAGE_VALUES + scalars + turns;
}

HD int cell_average_fluid(int scalars)
{
    return CELL_AVERAGE_SUMS + scalars * CELL_SCALAR_SUMS;
}

HD int cell_average_sums(int scalars, int turns)
{
    return cell_average_fluid(scalars) + turns;
}

/* cell_average_fields: what a sample is taken of, in kernel memory.
 *
 *   m, nu    metrics, viscosity [U L]
 *   vel, p   velocity at fcc, cfc, ccf; one halo layer, faces and edges. Pressure at own cells
 *   theta    `scalars` arrays, at own cells
 *   turns    1 if cells turn from fluid to solid or back, 0 otherwise */
struct cell_average_fields {
    struct metrics m;
    real nu;
    real *const *vel;
    const real *p;
    int scalars;
    real *const *theta;
    int turns;
};

/* cell_average_weights: the weights of one sweep.
 *
 *   sample   weight of the present flow
 *   latest   weight that the sample before gets in addition to its own; 0: nothing
 *   fresh    whether the sums begin with this sample, so that their old values are not read */
struct cell_average_weights {
    double sample, latest;
    int fresh;
};

/* cell_average_add: adds a sample of the present flow to the sums of all own cells, and keeps it as the
 * latest one. Arrays without a halo hold a value of each own cell of the box, x fastest; the arrays of
 * several values follow one another.
 *
 *   open     bits of the open faces of each cell, indexed like a field (struct grid). A cell without an open
 *            face is solid: its sums and its latest sample are 0. NULL: all cells are fluid
 *   latest   in and out, cell_average_values() values of each cell. It is not read if by.latest is 0
 *   sum      in and out, cell_average_sums() sums of each cell
 *   before   the sums that by.latest is added to. It may be the same array as sum, unless by.fresh is set
 *
 * Dissipation in a cell is nu times the sum of the squares of the nine gradients. Those of a component along
 * itself are at the centre; for the others the squares at the four edges around the centre are averaged. So
 * the sum over cells of volume times dissipation is what the diffusion operator takes from the kinetic
 * energy, on any grid.
 *
 * Sums are in double precision. Arrays are in kernel memory. Each cell gets the same bits wherever it lies.
 * With 8-byte values a sweep moves 272 bytes a cell for u, v, w, p and the sums (4 reads; 15 reads and 15
 * writes of sums) and 40 for the latest sample. With by.latest it reads 40 more, and if `before` is another
 * array, 240 more for its sums. Each scalar adds 1 read, 1 write, and 5 reads and writes of sums; with
 * by.latest more in the same proportion. With `turns` there are 1 write, and 1 read and write of sums,
 * more. */
kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            struct cell_average_fields f, real *latest, double *sum, double *before);

KOL_END_C

#endif
