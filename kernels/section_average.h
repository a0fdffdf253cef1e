/* The sample of a section (line_average.h) and its average over time where they are made, in kernel memory: a
 * section has so many values that a host which reads them takes longer than a GPU for a step. The host gets
 * the few numbers of a sample that it wants. */
#ifndef KOL_KERNELS_SECTION_AVERAGE_H
#define KOL_KERNELS_SECTION_AVERAGE_H

#include "line_average.h"

KOL_BEGIN_C

/* section_shape: the whole section: cells along a and b; the first value of each sum in a sample, then how
 * many values there are: sum q at the place (i, j) is sample[first[q] + j (cells[0] +
 * line_average_on_face_a(q)) + i]. */
struct section_average_shape {
    int cells[2];
    ptrdiff_t first[LINE_SUM_COUNT + 1];
};

/* section_piece: rows of the piece of the section that a rank has: its first cells in the whole, its own
 * cells, whether it is the last one along a, b: the upper face is that of the last piece alone. */
struct section_average_piece {
    int at[2], cells[2], last[2];
    struct line_average_rows rows;
};

/* section_average_place: the sums of these rows, as line_average_fold leaves them, over the length, into
 * their places; never a negative zero. */
kol_status section_average_place(struct section_average_shape s, struct section_average_piece p,
                                 const double *sums, double length, double *sample);

/* section_average_rows: the sum over each row of each sum q, times the weight of its place: centre along a at
 * cell centres, face at faces; of those whose bit in `inner` is set without both ends; upwards along a. NaN
 * where a place of the row is not finite, ends included.
 *
 *     out[row(q) + j],    row(q): the rows of the sums before q
 *
 * Where its bit in `wanted` is not set: 0 or NaN. Each value of the sample is read once. */
struct section_average_weights {
    const double *centre, *face; /* kernel memory */
    unsigned long long wanted, inner;
};
kol_status section_average_rows(struct section_average_shape s, struct section_average_weights w,
                                const double *sample, double *out);

/* section_average_gather: out[i] = sample[place[i]]. Kernel memory. */
kol_status section_average_gather(ptrdiff_t n, const ptrdiff_t *place, const double *sample, double *out);

/* section_average_add: a sample onto a sum with compensation (point/section_average.h).
 * section_average_close: to = sum + carry, and both begin anew. section_average_join: neighbours of 2 `pairs`
 * vectors become one, in the first half of them. n values each, kernel memory. */
kol_status section_average_add(ptrdiff_t n, const double *sample, double *sum, double *carry);
kol_status section_average_close(ptrdiff_t n, double *sum, double *carry, double *to);
kol_status section_average_join(ptrdiff_t n, int pairs, double *vectors);

KOL_END_C

#endif
