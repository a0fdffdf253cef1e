/* Sums and counts for structure functions and probability densities. docs/statistics.md. */
#ifndef KOL_INCREMENTS_H
#define KOL_INCREMENTS_H

#include "base/status.h"

KOL_BEGIN_C

/* Powers of an increment d: |d|, d^2, d^3, |d|^3, d^4, d^5, |d|^5, d^6. */
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
/* Bins of a density: COUNT_BINS of equal width about 0, in units of a root mean square; one more at each end
 * for what lies beyond. */
enum { COUNT_BINS = 320, COUNT_SLOTS = COUNT_BINS + 2, COUNT_PER_RMS = 5 };

/* lines: rows of n values, `rows` to a plane, periodic; planes in groups start[g] <= plane < start[g + 1].
 * separation: in points, 0 < s < n; the first `counted` of them are counted, too. start, separation in kernel
 * memory. */
struct lines {
    int n, rows, groups, separations, counted;
    const int *start, *separation;
};

/* increments_sum: for each group g, separation r, sum q, over the increments line[i + separation] - line[i]:
 *
 *     part[(g separations + r) INCREMENT_SUMS + q]
 *
 * in an order that depends on the group alone; and where scale is not NULL increment times scale[r] is
 * counted in counts[r COUNT_SLOTS + slot], r < counted: bins of width 1, one end of the middle ones at 0.
 * Added to what counts holds. Kernel memory. */
kol_status increments_sum(struct lines l, const double *values, const double *scale, double *part,
                          unsigned long long *counts);

/* counted: shift taken off, then times scale, of each component. counts_fields: velocity, then vorticity on
 * its edges, all three components each, into counts[slot] and counts[COUNT_SLOTS + slot], added to what they
 * hold. vel: one halo layer with edges. */
struct counted {
    double shift[3], scale[3], scale_vorticity[3];
};
kol_status counts_fields(struct box b, struct metrics m, struct counted c, real *const vel[3],
                         unsigned long long *counts);

KOL_END_C

#endif
