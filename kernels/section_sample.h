/* The sample of a cross-section (line_average.h) and its average over time, kept in kernel memory. A section
 * has many values, so a GPU would take a step in less time than the host needs to read them. Therefore the
 * host reads only a few numbers of each sample. */
#ifndef KOL_KERNELS_SECTION_SAMPLE_H
#define KOL_KERNELS_SECTION_SAMPLE_H

#include "line_average.h"

KOL_BEGIN_C

/* section_sample_shape: the complete cross-section.
 *
 *   cells   number of cells along a and b
 *   first   first[q]: place of the first value of sum q in a sample; the last entry is the number of values
 *
 * Sum q at place (i, j) is sample[first[q] + j (cells[0] + line_average_on_face_a(q)) + i]. */
struct section_sample_shape {
    int cells[2];
    ptrdiff_t first[LINE_SUM_COUNT + 1];
};

/* section_sample_piece: rows of the part of the section that a rank owns.
 *
 *   at      its first cells in the complete section
 *   cells   number of its own cells
 *   last    whether it is the last part along a, along b. Only the last part owns the upper face. */
struct section_sample_piece {
    int at[2], cells[2], last[2];
    struct line_average_rows rows;
};

/* section_sample_place: divides the sums of these rows by the length, and puts them into their places in the
 * sample. The sums are as line_average_fold leaves them. It never writes a negative zero. */
kol_status section_sample_place(struct section_sample_shape s, struct section_sample_piece p,
                                const double *sums, double length, double *sample);

/* section_sample_rows: for each row j of each sum q, adds up the values of the row times the weights of
 * their places,
 *
 *     out[row(q) + j],    row(q): number of rows of the sums before q
 *
 * Additions go upwards along a. If a value of the row is not finite, the result is NaN, even if this value is
 * at an end of the row. Each value of the sample is read once.
 *
 *   centre, face   weights of places at cell centres and at faces along a; kernel memory
 *   wanted         if bit q is not set, the result is 0 or NaN
 *   inner          if bit q is set, the sum leaves out both ends of a row */
struct section_sample_weights {
    const double *centre, *face; /* kernel memory */
    unsigned long long wanted, inner;
};
kol_status section_sample_rows(struct section_sample_shape s, struct section_sample_weights w,
                               const double *sample, double *out);

/* section_sample_gather: sets out[i] = sample[place[i]]. Arrays are in kernel memory. */
kol_status section_sample_gather(ptrdiff_t n, const ptrdiff_t *place, const double *sample, double *out);

/* section_sample_add: adds a sample, times its weight, to a compensated sum, sum and carry
 * (point/section_sample.h).
 *
 * section_sample_correct: computes to = to + weight latest. This gives the latest sample, which is in a
 * batch already, the rest of its weight.
 *
 * section_sample_copy: copies `from` to `to`.
 *
 * section_sample_close: sets to = sum + carry. Then sum and carry start again from 0.
 *
 * section_sample_join: adds up neighbouring vectors in pairs: vectors 0 and 1, 2 and 3, and so on, of 2
 * `pairs` vectors. The sums become the first `pairs` vectors.
 *
 * All vectors have n values and are in kernel memory. */
kol_status section_sample_add(ptrdiff_t n, double weight, const double *sample, double *sum, double *carry);
kol_status section_sample_correct(ptrdiff_t n, double weight, const double *latest, double *to);
kol_status section_sample_copy(ptrdiff_t n, const double *from, double *to);
kol_status section_sample_close(ptrdiff_t n, double *sum, double *carry, double *to);
kol_status section_sample_join(ptrdiff_t n, int pairs, double *vectors);

KOL_END_C

#endif
