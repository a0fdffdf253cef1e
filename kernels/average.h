/* Averages over the planes parallel to walls: sums of one sample over the two homogeneous directions at every level of the third.
 * The definitions belong to the staggered grid: each term is summed where its factors meet, with the area that belongs to it there,
 * and fluxes are those of the momentum equation, so that budgets made of them close. docs/statistics.md. */
#ifndef KOL_AVERAGE_H
#define KOL_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. N: the component normal to the walls, A and B: the others, in the order x, y, z. At the centre of level k first, then at
 * its lower face. d: difference over distance, along the direction named behind it. */
enum {
    AVG_A, /* velocity [U] */
    AVG_B,
    AVG_P, /* pressure [U^2] */
    AVG_AA,
    AVG_BB,
    AVG_PP,
    AVG_AB, /* both interpolated half and half to their edge */
    AVG_AAA,
    AVG_BBB,
    AVG_AAAA,
    AVG_BBBB,
    AVG_OMEGA_N, /* vorticity squared [1/T^2] */
    AVG_GRAD_A,  /* (dA along a)^2 + (dA along b)^2 [1/T^2] */
    AVG_GRAD_B,  /* likewise of B */
    AVG_GRAD_N,  /* (dN along n)^2 */
    AVG_FLUX_NN, /* mean of N on both faces times their product: what carries N^2 */
    AVG_PN,      /* pressure times the mean of N on both faces [U^3] */
    AVG_PDA,     /* pressure times dA along a [U^2/T] */
    AVG_PDB,
    AVG_CENTRES,
    AVG_N = AVG_CENTRES,
    AVG_NN,
    AVG_NNN,
    AVG_NNNN,
    AVG_AN,      /* flux of A: area-weighted half-half mean of N times half-half mean of A */
    AVG_BN,      /* likewise of B */
    AVG_FLUX_AA, /* the same mean of N times the product of A above and below: what carries A^2 */
    AVG_FLUX_BB,
    AVG_OMEGA_A,
    AVG_OMEGA_B,
    AVG_SHEAR_A, /* (dA along n)^2 */
    AVG_SHEAR_B,
    AVG_SHEAR_N, /* (dN along a)^2 + (dN along b)^2 */
    AVG_COUNT
};

/* average_levels: of a box with walls normal to direction `normal`: its cells and one more, the upper face, where terms of centres
 * are 0. average_values: partial sums of a call. average_scratch: values of scratch that this backend wants. */
int average_levels(struct box b, int normal);
ptrdiff_t average_values(struct box b, struct blocks bl, int normal);
ptrdiff_t average_scratch(struct box b, struct blocks bl, int normal);

/* average_planes: for each level k, sum q, and reduction block (ba, bb) of the two other directions, over the own cells of the
 * block, the area-weighted terms [L^2 times the term's unit]:
 *
 *     part[((k AVG_COUNT + q) nb + bb) na + ba]
 *
 * in an order that depends on the block alone: the same bits on any number of ranks. Level n is that of the next rank, or the upper
 * wall. vel: velocity at fcc, cfc, ccf, one halo layer with edges, beyond walls as wall_fill leaves it; p: at ccc, own cells.
 * part, scratch: kernel memory. Per cell: 4 reads. */
kol_status average_planes(struct box b, struct metrics m, struct blocks bl, int normal, real *const vel[3],
                          const real *p, double *part, double *scratch);

/* average_fold: of `values` groups of na nb partial sums: both = 0: out[v nb + bb] = sum over ba in order; 1: out[v] = the sum of
 * those over bb in order. Kernel memory. */
kol_status average_fold(ptrdiff_t values, int na, int nb, int both, const double *part, double *out);

KOL_END_C

#endif
