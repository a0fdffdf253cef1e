/* Adds up a sample of a scalar along the homogeneous direction, at every place of the cross-section. */
#include "../point/line_scalar.h"

kol_status line_scalar_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const real *theta, double *sums)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_scalar_values q = {vel[d.s], vel[d.a], vel[d.b], theta};
    const int wide = line_average_places(b, d.a), high = line_average_places(b, d.b);
    for (int j = 0; j < high; ++j)
        for (int i = 0; i < wide; ++i)
            point_line_scalar_place(q, d, b, m, bl, onto, i, j, sums + (ptrdiff_t)j * wide + i,
                                    (ptrdiff_t)wide * high);
    return KOL_OK;
}
