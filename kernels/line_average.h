/* Averages over one homogeneous direction, for a flow that has walls or open faces in the two other
 * directions. A sample is summed along the homogeneous direction at every place of the cross-section.
 * docs/statistics.md.
 *
 * Each term is computed at the place of the staggered grid where its factors meet, and it is multiplied by
 * the length that belongs to that place. Fluxes are those of the momentum equation. */
#ifndef KOL_KERNELS_LINE_AVERAGE_H
#define KOL_KERNELS_LINE_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. S is the component along the homogeneous direction s. A and B are the components along the
 * directions a and b of the cross-section, in the order x, y, z. The sums are ordered by their place in the
 * section: cell centres, low faces in a, low faces in b, and low faces in both, which are edges along s. d is
 * a difference divided by a distance, along the direction that is named last. */
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

/* line_average_on_face_a, line_average_on_face_b: return whether sum q lies at low faces in that direction.
 * There is one more face than there are cells. */
HD int line_average_on_face_a(int q)
{
    return q >= LINE_SUM_FACES_B || (q >= LINE_SUM_CENTRES && q < LINE_SUM_FACES_A);
}

HD int line_average_on_face_b(int q)
{
    return q >= LINE_SUM_FACES_A;
}

/* line_average_places: returns the number of places of a box along a direction of the section. These are its
 * cells and its upper face, at which terms of centres are 0. line_average_scratch: returns the number of
 * scratch values that this backend needs. */
int line_average_places(struct box b, int direction);
ptrdiff_t line_average_scratch(struct box b, struct blocks bl, int along);

/* line_average_sums: adds up terms times length [L times the term's unit] along the direction `along`. There
 * is one partial sum for each reduction block of that direction, each sum q, and each place (i, j) of the
 * section with lo <= j < hi,
 *
 *     part[((block LINE_SUM_COUNT + q) (hi - lo) + j - lo) line_average_places(a) + i]
 *
 * The order of addition depends on the block alone, so the bits are the same on any number of ranks and in
 * both backends.
 *
 *   vel             velocity at fcc, cfc, ccf, one halo layer with edges; beyond walls as wall_fill leaves it
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

/* line_average_fold: adds up the partial sums part[block values + v] of `values` sums, in the order of the
 * blocks. With onto = 1 they are added to what `sums` holds; with onto = 0 they overwrite it. Arrays are in
 * kernel memory. */
kol_status line_average_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums);

KOL_END_C

#endif
