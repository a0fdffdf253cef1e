/* Averages of a scalar over one homogeneous direction, beside those of line_average.h. docs/statistics.md.
 *
 * S, A and B are the velocities along the homogeneous direction s and along the directions a and b of the
 * cross-section, T is the scalar. Values between points are half-half means. The fluxes along a and b are
 * those of the equation of the scalar. */
#ifndef KOL_KERNELS_LINE_SCALAR_H
#define KOL_KERNELS_LINE_SCALAR_H

#include "line_average.h"

KOL_BEGIN_C

/* The sums, ordered by their place in the section: cell centres, low faces in a, low faces in b. */
enum {
    LINE_T_T, /* powers [own] */
    LINE_T_TT,
    LINE_T_TTT,
    LINE_T_TTTT,
    LINE_T_S,  /* the mean of S on both faces of the cell [U] */
    LINE_T_TS, /* T times this mean [own U] */
    LINE_T_CENTRES,
    LINE_T_A = LINE_T_CENTRES, /* A [U] */
    LINE_T_TA,                 /* flux of T along a: A times T [own U] */
    LINE_T_FACES_A,
    LINE_T_B = LINE_T_FACES_A,
    LINE_T_TB,
    LINE_T_COUNT
};

/* line_scalar_on_face_a, line_scalar_on_face_b: return whether sum q lies at low faces in that direction. */
HD int line_scalar_on_face_a(int q)
{
    return q >= LINE_T_CENTRES && q < LINE_T_FACES_A;
}

HD int line_scalar_on_face_b(int q)
{
    return q >= LINE_T_FACES_A;
}

/* line_scalar_sums: adds up terms times the width of the cell along the direction `along`, [L times the
 * term's unit]. There is one sum for each q and each place (i, j) of the section (line_average_places()),
 *
 *     sums[(q line_average_places(b) + j) line_average_places(a) + i]
 *
 * A block of the reduction is added up cell after cell, and then block is added to block. With onto = 1 the
 * blocks are added to what `sums` holds; with onto = 0 they overwrite it. So the bits are the same on any
 * number of ranks, of which each has whole blocks, and in both backends. Where a term has no place, at the
 * upper faces of the box, the sum is 0.
 *
 *   vel     velocity at fcc, cfc, ccf; own points and those on the high faces
 *   theta   at ccc; one halo layer, faces; beyond walls as the conditions of the scalar leave it
 *   sums    kernel memory
 *
 * Per cell: 4 reads. */
kol_status line_scalar_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const real *theta, double *sums);

KOL_END_C

#endif
