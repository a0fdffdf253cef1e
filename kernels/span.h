/* Averages over the one homogeneous direction of a flow that has walls or open faces in the two others: sums of one sample along it at every
 * place of the section. Each term is summed where its factors meet on the staggered grid, with the length that belongs to it there; fluxes are
 * those of the momentum equation. docs/statistics.md. */
#ifndef KOL_SPAN_H
#define KOL_SPAN_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. S: the component along the homogeneous direction s; A, B: those along the directions a, b of the section, in the order x, y, z.
 * At cell centres of the section first, then at low faces in a, at low faces in b, at both: edges along s. d: difference over distance, along
 * the direction named last. */
enum {
    SPAN_S, /* velocity [U] */
    SPAN_P, /* pressure [U^2] */
    SPAN_SS,
    SPAN_SSS,
    SPAN_SSSS,
    SPAN_PP,
    SPAN_FLUX_AA, /* flux of A along a: half-half mean of A on both faces, squared [U^2] */
    SPAN_FLUX_BB,
    SPAN_GRAD_S, /* (dS along s)^2 [1/T^2] */
    SPAN_GRAD_A, /* (dA along a)^2 */
    SPAN_GRAD_B,
    SPAN_CENTRES, /* how many are at centres */
    SPAN_A = SPAN_CENTRES,
    SPAN_AA,
    SPAN_AAA,
    SPAN_AAAA,
    SPAN_SA,      /* flux of S along a: mean of A weighted with lengths times half-half mean of S */
    SPAN_DSA,     /* dS along a [1/T] */
    SPAN_DSA2,    /* its square [1/T^2] */
    SPAN_DAS2,    /* (dA along s)^2 */
    SPAN_OMEGA_B, /* vorticity along b, squared */
    SPAN_FACES_A,
    SPAN_B = SPAN_FACES_A,
    SPAN_BB,
    SPAN_BBB,
    SPAN_BBBB,
    SPAN_SB,
    SPAN_DSB,
    SPAN_DSB2,
    SPAN_DBS2,
    SPAN_OMEGA_A,
    SPAN_FACES_B,
    SPAN_FLUX_AB =
        SPAN_FACES_B, /* flux of A along b: mean of B weighted with widths times half-half mean of A */
    SPAN_FLUX_BA,     /* flux of B along a */
    SPAN_DAB,         /* dA along b [1/T] */
    SPAN_DBA,
    SPAN_DAB2,
    SPAN_DBA2,
    SPAN_OMEGA_S,
    SPAN_COUNT
};

/* span_on_face_a, _b: whether sum q lies at low faces in that direction: of them there is one more than cells. */
HD int span_on_face_a(int q)
{
    return q >= SPAN_FACES_B || (q >= SPAN_CENTRES && q < SPAN_FACES_A);
}

HD int span_on_face_b(int q)
{
    return q >= SPAN_FACES_A;
}

/* span_places: places of a box along a direction of the section: its cells and one more, the upper face, where terms of centres are 0.
 * span_scratch: values of scratch that this backend wants. */
int span_places(struct box b, int direction);
ptrdiff_t span_scratch(struct box b, struct blocks bl, int along);

/* span_sums: for the reduction blocks of direction `along`, each sum q, and the places (i, j) of the section with lo <= j < hi, terms times
 * length over the own cells of the block, in an order that depends on the block alone [L times the term's unit]:
 *
 *     part[((block SPAN_COUNT + q) (hi - lo) + j - lo) span_places(a) + i]
 *
 * The same bits on any ranks and in both backends. vel: velocity at fcc, cfc, ccf, one halo layer with edges, beyond walls as wall_fill leaves
 * it; p: at ccc, own cells. part, scratch: kernel memory. Per cell: 4 reads. */
struct span_rows {
    int lo, hi;
};
kol_status span_sums(struct box b, struct metrics m, struct blocks bl, int along, struct span_rows rows,
                     real *const vel[3], const real *p, double *part, double *scratch);

/* span_fold: of `values` sums their partial ones, part[block values + v], added up in order; onto = 1: onto what sums holds, 0: sums is
 * overwritten. Kernel memory. */
kol_status span_fold(ptrdiff_t values, int blocks, int onto, const double *part, double *sums);

KOL_END_C

#endif
