/* Averages over one homogeneous direction, for a flow that has walls or open faces in the two others: sums
 * of one sample along that direction, at every place of the cross-section. docs/statistics.md.
 *
 * Each term is summed at the place of the staggered grid where its factors meet, times the length that
 * belongs to it there. Fluxes are those of the momentum equation. */
#ifndef KOL_KERNELS_LINE_AVERAGE_H
#define KOL_KERNELS_LINE_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. S is the component along the homogeneous direction s. A and B are those along the directions a
 * and b of the cross-section, in the order x, y, z. First come the sums at cell centres of the section, then
 * those at low faces in a, at low faces in b, and at low faces in both, which are edges along s. d is a
 * difference over a distance, along the direction that is named last. */
enum {
    LINE_SUM_S, /* velocity [U] */
    LINE_SUM_P, /* pressure [U^2] */
    LINE_SUM_SS,
    LINE_SUM_SSS,
    LINE_SUM_SSSS,
    LINE_SUM_PP,
    LINE_SUM_FLUX_AA, /* flux of A along a: half-half mean of A on both faces, squared [U^2] */
    LINE_SUM_FLUX_BB,
    LINE_SUM_GRAD_S, /* (dS along s)^2 [1/T^2] */
    LINE_SUM_GRAD_A, /* (dA along a)^2 */
    LINE_SUM_GRAD_B,
    LINE_SUM_CENTRES, /* how many are at centres */
    LINE_SUM_A = LINE_SUM_CENTRES,
    LINE_SUM_AA,
    LINE_SUM_AAA,
    LINE_SUM_AAAA,
    LINE_SUM_SA,      /* flux of S along a: mean of A weighted with lengths times half-half mean of S */
    LINE_SUM_DSA,     /* dS along a [1/T] */
    LINE_SUM_DSA2,    /* its square [1/T^2] */
    LINE_SUM_DAS2,    /* (dA along s)^2 */
    LINE_SUM_OMEGA_B, /* vorticity along b, squared */
    LINE_SUM_FACES_A,
    LINE_SUM_B = LINE_SUM_FACES_A,
    LINE_SUM_BB,
    LINE_SUM_BBB,
    LINE_SUM_BBBB,
    LINE_SUM_SB,
    LINE_SUM_DSB,
    LINE_SUM_DSB2,
    LINE_SUM_DBS2,
    LINE_SUM_OMEGA_A,
    LINE_SUM_FACES_B,
    LINE_SUM_FLUX_AB =
        LINE_SUM_FACES_B, /* flux of A along b: mean of B weighted with widths times half-half mean of A */
    LINE_SUM_FLUX_BA,     /* flux of B along a */
    LINE_SUM_DAB,         /* dA along b [1/T] */
    LINE_SUM_DBA,
    LINE_SUM_DAB2,
    LINE_SUM_DBA2,
    LINE_SUM_OMEGA_S,
    LINE_SUM_COUNT
};

/* line_average_on_face_a, line_average_on_face_b: whether sum q lies at low faces in that direction. There
 * is one more face than there are cells. */
HD int line_average_on_face_a(int q)
{
    return q >= LINE_SUM_FACES_B || (q >= LINE_SUM_CENTRES && q < LINE_SUM_FACES_A);
}

HD int line_average_on_face_b(int q)
{
    return q >= LINE_SUM_FACES_A;
}

/* line_average_places: number of places of a box along a direction of the section: its cells, and the upper
 * face, where terms of centres are 0. line_average_scratch: number of values of scratch that this backend
 * needs. */
int line_average_places(struct box b, int direction);
ptrdiff_t line_average_scratch(struct box b, struct blocks bl, int along);

/* line_average_sums: for each reduction block of direction `along` and each sum q, adds up terms times
 * length over the own cells of the block, at the places (i, j) of the section with lo <= j < hi [L times the
 * term's unit],
 *
 *     part[((block LINE_SUM_COUNT + q) (hi - lo) + j - lo) line_average_places(a) + i]
 *
 * The order depends on the block alone, so the bits are the same on any number of ranks and in both
 * backends.
 *
 *   vel             velocity at fcc, cfc, ccf, one halo layer with edges; beyond walls as wall_fill leaves
 *                   it
 *   p               at ccc, own cells
 *   part, scratch   kernel memory
 *
 * Per cell: 4 reads. */
struct line_average_rows {
    int lo, hi;
};
kol_status line_average_sums(struct box b, struct metrics m, struct blocks bl, int along,
                             struct line_average_rows rows, real *const vel[3], const real *p, double *part,
                             double *scratch);

/* line_average_fold: adds up the partial sums of `values` sums, part[block values + v], in the order of the
 * blocks. onto = 1 adds them to what `sums` holds, onto = 0 overwrites it. Arrays are in kernel memory. */
kol_status line_average_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums);

KOL_END_C

#endif
