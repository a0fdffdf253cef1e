/* Sums over time of velocity, pressure and their products in every cell, for averages of flows without a
 * homogeneous direction. docs/statistics.md, "Every cell". */
#ifndef KOL_KERNELS_CELL_AVERAGE_H
#define KOL_KERNELS_CELL_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* CELL_AVERAGE_VALUES: values of a sample in a cell: u, v, w at the centre, each the mean of the two faces
 * [U], and the pressure [U^2]. The sums are those of the values themselves and of their products. */
enum { CELL_AVERAGE_VALUES = 4 };
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
    CELL_AVERAGE_SUMS
};

/* cell_average_weights: the weights of one sweep.
 *
 *   sample   that of the present flow
 *   latest   what the latest sample before gets on top of its own weight; 0: nothing
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
 *   vel, p   velocity at fcc, cfc, ccf; own points and those on the high faces. Pressure at own cells
 *   latest   in and out, CELL_AVERAGE_VALUES values of each cell. It is not read if by.latest is 0
 *   sum      in and out, CELL_AVERAGE_SUMS sums of each cell
 *   before   the sums that by.latest is added to. It may be the same array as sum, unless by.fresh is set
 *
 * Sums are in double precision. Arrays are in kernel memory. Each cell gets the same bits wherever it lies.
 * With 8-byte values a sweep moves 256 bytes a cell for u, v, w, p and the sums (4 reads; 14 reads and 14
 * writes of sums) and 32 for the latest sample. With by.latest it reads 32 more; if before is another array,
 * another 224 for its sums. */
kol_status cell_average_add(struct box b, const unsigned char *open, struct cell_average_weights by,
                            real *const vel[3], const real *p, real *latest, double *sum, double *before);

KOL_END_C

#endif
