/* Averages over the planes parallel to walls: sums of one sample over the two homogeneous directions at every
 * level of the third. The definitions belong to the staggered grid: each term is summed where its factors
 * meet, with the area that belongs to it there, and fluxes are those of the momentum equation, so that
 * budgets made of them close. docs/statistics.md. */
#ifndef KOL_KERNELS_PLANE_AVERAGE_H
#define KOL_KERNELS_PLANE_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. N: the component normal to the walls, A and B: the others, in the order x, y, z. At the centre of
 * level k first, then at its lower face. d: difference over distance, along the direction named behind it. */
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

/* The sums of plane_average_stresses(), for the budgets of the shear stresses. At centres first. Means in
 * between, at half weight each: AT_N: A along a, of the two faces of the cell; N_AT_A: of N along a,
 * area-weighted, at the points of A; LOW, UP: with the value of N or of the difference on the lower, the
 * upper face of the cell. */
enum {
    STRESS_PA, /* pressure times A at the cell's centre [U^3] */
    STRESS_PB,
    STRESS_PAN_LOW, /* pressure times dN_AT_A along a + dA along n [U^3/L] */
    STRESS_PAN_UP,
    STRESS_PBN_LOW,
    STRESS_PBN_UP,
    STRESS_PAB,     /* pressure times dA along b + dB along a, of means on edges */
    STRESS_CAN_LOW, /* convection of A times N_AT_A [U^3/L] */
    STRESS_CAN_UP,
    STRESS_CBN_LOW,
    STRESS_CBN_UP,
    STRESS_CAB,     /* convection of A times B, and of B times A, on edges */
    STRESS_MAN_LOW, /* the same of convection and diffusion together */
    STRESS_MAN_UP,
    STRESS_MBN_LOW,
    STRESS_MBN_UP,
    STRESS_MAB,
    STRESS_ANN, /* products of values at the cell's centre [U^3], [U^2] */
    STRESS_BNN,
    STRESS_NN,
    STRESS_AA,
    STRESS_BB,
    STRESS_AB,
    STRESS_AAB,
    STRESS_ABB,
    STRESS_CENTRES,
    STRESS_CNA = STRESS_CENTRES, /* convection of N times the mean of A round the face */
    STRESS_CNB,
    STRESS_MNA,
    STRESS_MNB,
    STRESS_ABN,       /* N times the means of A and B round the face [U^3] */
    STRESS_SHEAR_AAA, /* (dA along n)^3 [1/T^3] */
    STRESS_SHEAR_BBB,
    STRESS_COUNT
};

/* The sums of plane_average_quadrants(), at faces: of hole h and quadrant q, 0 .. 3: QUADRANT_PRODUCT + 8 h +
 * q: u' w' [U^2]; + 4: 1, where it is counted. Quadrants: 0: u' > 0, w' > 0; 1: u' < 0, w' > 0; 2: both below
 * 0; 3: u' > 0, w' < 0. */
enum { QUADRANTS = 4, QUADRANT_HOLES = 4, QUADRANT_SUMS = 2 * QUADRANTS * QUADRANT_HOLES };

/* quadrants: u is the component number `component` (0: A, 1: B), as the flux of the momentum equation has it,
 * w' that of N which carries it. centre: mean of u round each face [U]; product: magnitude of the mean of u'
 * w' there [U^2]; kernel memory, one value a level of this box. What is not above hole[h] times product is
 * not counted; a negative hole: nothing is. */
struct quadrants {
    int component;
    const double *centre, *product;
    double hole[QUADRANT_HOLES];
};

/* plane_average_levels: of a box with walls normal to direction `normal`: its cells and one more, the upper
 * face, where terms of centres are 0. plane_average_values: partial sums of a call. plane_average_scratch:
 * values of scratch that this backend wants. */
int plane_average_levels(struct box b, int normal);
ptrdiff_t plane_average_values(struct box b, struct blocks bl, int normal);
ptrdiff_t plane_average_scratch(struct box b, struct blocks bl, int normal);

/* plane_average_planes: for each level k, sum q, and reduction block (ba, bb) of the two other directions,
 * over the own cells of the block, the area-weighted terms [L^2 times the term's unit]:
 *
 *     part[((k AVG_COUNT + q) nb + bb) na + ba]
 *
 * in an order that depends on the block alone: the same bits on any number of ranks. Level n is that of the
 * next rank, or the upper wall. vel: velocity at fcc, cfc, ccf, one halo layer with edges, beyond walls as
 * wall_fill leaves it; p: at ccc, own cells. part, scratch: kernel memory. Per cell: 4 reads. */
kol_status plane_average_planes(struct box b, struct metrics m, struct blocks bl, int normal,
                                real *const vel[3], const real *p, double *part, double *scratch);

/* plane_average_stresses: the same of the sums STRESS_, as many. vel: beyond walls and at edges as above;
 * convection, momentum: momentum_rhs without and with viscosity, own points [U/T]; those of N on a lower wall
 * are in sums that mean nothing. Per cell: 10 reads. */
kol_status plane_average_stresses(struct box b, struct metrics m, struct blocks bl, int normal,
                                  real *const vel[3], const real *p, real *const convection[3],
                                  real *const momentum[3], double *part, double *scratch);

/* plane_average_quadrants: the same of the sums of quadrants, as many. Per cell: 2 reads. */
kol_status plane_average_quadrants(struct box b, struct metrics m, struct blocks bl, int normal,
                                   real *const vel[3], const struct quadrants *quadrants, double *part,
                                   double *scratch);

/* plane_average_fold: of `values` groups of na nb partial sums: both = 0: out[v nb + bb] = sum over ba in
 * order; 1: out[v] = the sum of those over bb in order. Kernel memory. */
kol_status plane_average_fold(ptrdiff_t values, int na, int nb, int both, const double *part, double *out);

KOL_END_C

#endif
