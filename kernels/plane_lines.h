/* Packs planes parallel to the walls into lines, and sums products of Fourier coefficients over the lines.
 * Spectra at wall distances are computed from these sums. docs/statistics.md, "Spectra at heights". */
#ifndef KOL_KERNELS_PLANE_LINES_H
#define KOL_KERNELS_PLANE_LINES_H

#include "base/status.h"
#include "base/types.h"

KOL_BEGIN_C

/* What a plane holds. N is the component normal to the walls. A and B are the others, in the order x, y, z.
 * The first three kinds are at the centres of the level, the others at its lower face.
 *
 *   _FACE    half-half mean of the centres on both sides
 *   N_AT_A   half-half mean of N in the two cells beside the point of A. If spacings along a are equal, this
 *            is the value in the flux of the momentum equation. */
enum plane_kind {
    PLANE_A,
    PLANE_B,
    PLANE_P,
    PLANE_CENTRES,
    PLANE_N = PLANE_CENTRES,
    PLANE_A_FACE,
    PLANE_N_AT_A,
    PLANE_B_FACE,
    PLANE_N_AT_B,
    PLANE_KINDS
};

/* plane_lines_pack: packs the own cells of a level into out[ib na + ia]. ia counts the na cells along the
 * first homogeneous direction, ib those along the second. vel: velocity at fcc, cfc, ccf, one halo layer. p:
 * at ccc, own cells. out: kernel memory. Per value: 1 or 2 reads, 1 write. */
kol_status plane_lines_pack(struct box b, int normal, enum plane_kind kind, int level, real *const vel[3],
                            const real *p, double *out);

/* plane_lines_pairs: the pairs of planes whose coefficients are multiplied. Pair q consists of the planes
 * first[q] and second[q], which may be the same. */
enum { LINES_PAIRS = 96 };
struct plane_lines_pairs {
    int n;
    int first[LINES_PAIRS], second[LINES_PAIRS];
};

/* plane_lines_products: multiplies the coefficients of pairs of planes. A plane has `lines` lines of n real
 * Fourier coefficients (fft.h). For pair q with planes f and g, summed over the lines in order,
 *
 *     out[q (n/2 + 3) + m] = sum of f g over the coefficients of wave m, of both signs        m = 0 .. n/2
 *
 * The last two values of a pair are the sums of coefficient 0 of f and of g. The bits are the same on all
 * ranks that own complete planes. Arrays are in kernel memory. */
kol_status plane_lines_products(const struct plane_lines_pairs *pairs, int n, int lines, const double *u,
                                double *out);

KOL_END_C

#endif
