/* Sums and counts for structure functions and probability densities. docs/statistics.md. */
#ifndef KOL_INCREMENTS_H
#define KOL_INCREMENTS_H

#include "base/status.h"

KOL_BEGIN_C

/* Powers of an increment d, in this order: |d|, d^2, d^3, |d|^3, d^4, d^5, |d|^5, d^6. */
enum {
    INCREMENT_A1,
    INCREMENT_2,
    INCREMENT_3,
    INCREMENT_A3,
    INCREMENT_4,
    INCREMENT_5,
    INCREMENT_A5,
    INCREMENT_6,
    INCREMENT_SUMS
};
/* Bins of a probability density. There are COUNT_BINS bins of equal width about 0. The unit is a root mean
 * square, and one unit has COUNT_PER_RMS bins. One more bin at each end counts all values beyond. */
enum { COUNT_BINS = 320, COUNT_SLOTS = COUNT_BINS + 2, COUNT_PER_RMS = 5 };

/* lines: periodic rows of n values, `rows` of them in a plane.
 *
 *   start        group g has the planes start[g] <= plane < start[g + 1]; kernel memory
 *   separation   separations in points, 0 < s < n; kernel memory
 *   counted      the first `counted` separations are counted in bins, too */
struct lines {
    int n, rows, groups, separations, counted;
    const int *start, *separation;
};

/* increments_sum: adds up the powers of the increments line[i + separation] - line[i], for each group g,
 * separation r and power q,
 *
 *     part[(g separations + r) INCREMENT_SUMS + q]
 *
 * The order of addition depends on the group alone.
 *
 * If scale is not NULL, it also counts the increments in bins. The increment times scale[r] is counted in
 * counts[r COUNT_SLOTS + slot], for r < counted. Then bins have width 1, and 0 lies on the edge between two
 * bins. Counts are added to what the array holds. Arrays are in kernel memory. */
kol_status increments_sum(struct lines l, const double *values, const double *scale, double *part,
                          unsigned long long *counts);

/* counted: from each component, `shift` is subtracted; the result is multiplied by `scale`.
 *
 * increments_count_fields: counts the velocity in counts[slot], and the vorticity on its edges in
 * counts[COUNT_SLOTS + slot]. The three components are counted together. Counts are added to what the array
 * holds. vel needs one halo layer with edges. */
struct counted {
    double shift[3], scale[3], scale_vorticity[3];
};
kol_status increments_count_fields(struct box b, struct metrics m, struct counted c, real *const vel[3],
                                   unsigned long long *counts);

/* increments_count_volume: counts a field at cell centres in counts[slot], each cell with its volume. From
 * each value `shift` is subtracted; the result is multiplied by `scale`. A volume counts as the nearest whole
 * number of COUNT_UNITS of the volume `whole`, which is that of all cells of all ranks. So the order of
 * addition does not matter, and the rounding of all cells together is below one part in 10^8. Counts are
 * added to what the array holds. theta needs no halo. */
static const double COUNT_UNITS = 1152921504606846976.; /* 2^60 */
struct counted_volume {
    double whole, shift, scale;
};
kol_status increments_count_volume(struct box b, struct metrics m, struct counted_volume c, const real *theta,
                                   unsigned long long *counts);

KOL_END_C

#endif
