/* Keeps the sample of a cross-section and its average over time in kernel memory. */
#include "../point/section_sample.h"

#include <string.h>

kol_status section_sample_place(struct section_sample_shape s, struct section_sample_piece p,
                                const double *sums, double length, double *sample)
{
    const int height = p.rows.hi - p.rows.lo, places = p.cells[0] + 1;
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        const int on_a = line_average_on_face_a(q),
                  high = p.cells[1] + (p.last[1] && line_average_on_face_b(q)),
                  wide = p.cells[0] + (p.last[0] && on_a);
        for (int j = p.rows.lo; j < p.rows.hi && j < high; ++j) {
            const double *from = sums + ((ptrdiff_t)q * height + j - p.rows.lo) * places;
            double *to = sample + s.first[q] + (ptrdiff_t)(p.at[1] + j) * (s.cells[0] + on_a) + p.at[0];
            for (int i = 0; i < wide; ++i) to[i] = from[i] / length + 0.0;
        }
    }
    return KOL_OK;
}

kol_status section_sample_rows(struct section_sample_shape s, struct section_sample_weights w,
                               const double *sample, double *out)
{
    for (int q = 0; q < LINE_SUM_COUNT; ++q) {
        const int on_a = line_average_on_face_a(q), places = s.cells[0] + on_a,
                  high = s.cells[1] + line_average_on_face_b(q);
        const double *weight = on_a ? w.face : w.centre;
        for (int j = 0; j < high; ++j)
            *out++ = point_section_row(sample + s.first[q] + (ptrdiff_t)j * places, weight, places,
                                       (int)(w.wanted >> q & 1), (int)(w.inner >> q & 1));
    }
    return KOL_OK;
}

kol_status section_sample_gather(ptrdiff_t n, const ptrdiff_t *place, const double *sample, double *out)
{
    for (ptrdiff_t i = 0; i < n; ++i) out[i] = sample[place[i]];
    return KOL_OK;
}

kol_status section_sample_add(ptrdiff_t n, double weight, const double *KOL_RESTRICT sample,
                              double *KOL_RESTRICT sum, double *KOL_RESTRICT carry)
{
#pragma omp simd
    for (ptrdiff_t i = 0; i < n; ++i) point_section_add(&sum[i], &carry[i], weight * sample[i]);
    return KOL_OK;
}

kol_status section_sample_correct(ptrdiff_t n, double weight, const double *KOL_RESTRICT latest,
                                  double *KOL_RESTRICT to)
{
    for (ptrdiff_t i = 0; i < n; ++i) to[i] += weight * latest[i];
    return KOL_OK;
}

kol_status section_sample_copy(ptrdiff_t n, const double *KOL_RESTRICT from, double *KOL_RESTRICT to)
{
    memcpy(to, from, (size_t)n * sizeof *to);
    return KOL_OK;
}

kol_status section_sample_close(ptrdiff_t n, double *KOL_RESTRICT sum, double *KOL_RESTRICT carry,
                                double *KOL_RESTRICT to)
{
    for (ptrdiff_t i = 0; i < n; ++i) {
        to[i] = sum[i] + carry[i];
        sum[i] = carry[i] = 0;
    }
    return KOL_OK;
}

kol_status section_sample_join(ptrdiff_t n, int pairs, double *vectors)
{
    for (ptrdiff_t m = 0; m < pairs; ++m)
        for (ptrdiff_t i = 0; i < n; ++i)
            vectors[m * n + i] = vectors[2 * m * n + i] + vectors[(2 * m + 1) * n + i];
    return KOL_OK;
}
