/* Adds up a sample of the budgets of a scalar along the homogeneous direction, at every place of the section.
 */
#include "../point/line_budget.h"

kol_status line_budget_sums(struct box b, struct metrics m, struct blocks bl, int along, int onto,
                            real *const vel[3], const struct line_budget *f, double *sums)
{
    const struct line_average_frame d = line_average_frame_make(b, along);
    const struct line_budget_fields q = line_budget_fields_make(d, b, m, vel, f);
    const int wide = line_average_places(b, d.a), high = line_average_places(b, d.b);
    for (int j = 0; j < high; ++j)
        for (int i = 0; i < wide; ++i)
            point_line_budget_place(&q, d, b, bl, onto, i, j, sums + (ptrdiff_t)j * wide + i,
                                    (ptrdiff_t)wide * high);
    return KOL_OK;
}
