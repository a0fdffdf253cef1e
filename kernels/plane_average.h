/* Averages over planes parallel to the walls. A sample is summed over the two homogeneous directions at every
 * level of the third. docs/statistics.md.
 *
 * Each term is computed at the place of the staggered grid where its factors meet, and it is multiplied by
 * the area that belongs to that place. Fluxes are those of the momentum equation, so that the budgets close.
 */
#ifndef KOL_KERNELS_PLANE_AVERAGE_H
#define KOL_KERNELS_PLANE_AVERAGE_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* The sums. N is the component normal to the walls. A and B are the others, in the order x, y, z. The sums at
 * the centre of level k come first, then those at its lower face. d is a difference divided by a distance,
 * along the direction that is named after it. */
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
    AVG_FLUX_NN, /* mean of N on both faces times their product: the flux of N^2 */
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
    AVG_FLUX_AA, /* the same mean of N times the product of A above and below: the flux of A^2 */
    AVG_FLUX_BB,
    AVG_OMEGA_A,
    AVG_OMEGA_B,
    AVG_SHEAR_A, /* (dA along n)^2 */
    AVG_SHEAR_B,
    AVG_SHEAR_N, /* (dN along a)^2 + (dN along b)^2 */
    AVG_COUNT
};

/* The sums of plane_average_stresses(), for the budgets of the shear stresses. The sums at cell centres
 * come first.
 *
 * Values between points are half-half means. The names are:
 *
 *   AT_N      A averaged along a, from the two faces of the cell
 *   N_AT_A    N averaged along a, weighted with areas, at the points of A
 *   LOW, UP   the term has the value of N, or of the difference, on the lower or upper face of the cell */
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

/* The sums of plane_average_quadrants(), at faces. For hole h and quadrant q = 0 .. 3, sum QUADRANT_PRODUCT +
 * 8 h + q is u' w' [U^2]. The sum that lies 4 places further is the number of counted samples. The quadrants
 * are
 *
 *   0   u' > 0, w' > 0
 *   1   u' < 0, w' > 0
 *   2   u' < 0, w' < 0
 *   3   u' > 0, w' < 0 */
enum { QUADRANTS = 4, QUADRANT_HOLES = 4, QUADRANT_SUMS = 2 * QUADRANTS * QUADRANT_HOLES };

/* quadrants: what plane_average_quadrants() counts.
 *
 *   component   the component u: 0 is A, 1 is B. Its value is the one in the flux of the momentum equation,
 *               and w' is the value of N that transports it.
 *   centre      mean of u round each face [U]; kernel memory, one value for each level of this box
 *   product     magnitude of the mean of u' w' at each face [U^2]; likewise
 *   hole        only what is above hole[h] times product is counted; for a negative hole nothing is counted
 */
struct quadrants {
    int component;
    const double *centre, *product;
    double hole[QUADRANT_HOLES];
};

/* plane_average_levels: returns the number of levels of a box with walls normal to direction `normal`. These
 * are its cells and its upper face, at which terms of centres are 0.
 *
 * plane_average_values: returns the number of partial sums of a call. plane_average_scratch: returns the
 * number of scratch values that this backend needs. */
int plane_average_levels(struct box b, int normal);
ptrdiff_t plane_average_values(struct box b, struct blocks bl, int normal);
ptrdiff_t plane_average_scratch(struct box b, struct blocks bl, int normal);

/* plane_average_planes: adds up the area-weighted terms [L^2 times the term's unit] over the own cells of a
 * block. There is one partial sum for each level k, each sum q, and each reduction block (ba, bb) of the two
 * other directions,
 *
 *     part[((k AVG_COUNT + q) nb + bb) na + ba]
 *
 * The order of addition depends on the block alone, so the bits are the same on any number of ranks. Level n
 * belongs to the next rank, or is the upper wall.
 *
 *   vel             velocity at fcc, cfc, ccf, one halo layer with edges; beyond walls as wall_fill leaves it
 *   p               at ccc, own cells
 *   part, scratch   kernel memory
 *
 * Per cell: 4 reads. */
kol_status plane_average_planes(struct box b, struct metrics m, struct blocks bl, int normal,
                                real *const vel[3], const real *p, double *part, double *scratch);

/* plane_average_stresses: computes the sums STRESS_ in the same way, with arrays of the same length. vel
 * needs the same halo as above. convection, momentum: results of momentum_rhs without and with viscosity, at
 * own points [U/T]. Their values of N on a lower wall only enter sums that have no meaning. Per cell: 10
 * reads. */
kol_status plane_average_stresses(struct box b, struct metrics m, struct blocks bl, int normal,
                                  real *const vel[3], const real *p, real *const convection[3],
                                  real *const momentum[3], double *part, double *scratch);

/* plane_average_quadrants: computes the sums of the quadrants in the same way, with arrays of the same
 * length. Per cell: 2 reads. */
kol_status plane_average_quadrants(struct box b, struct metrics m, struct blocks bl, int normal,
                                   real *const vel[3], const struct quadrants *quadrants, double *part,
                                   double *scratch);

/* plane_average_fold: adds up `values` groups of na nb partial sums. If both = 0, out[v nb + bb] is the sum
 * over ba, in order. If both = 1, out[v] is the sum of these over bb, in order. Arrays are in kernel memory.
 */
kol_status plane_average_fold(ptrdiff_t values, int na, int nb, int both, const double *part, double *out);

KOL_END_C

#endif
