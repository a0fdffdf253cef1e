/* One cell of the sums and shifts of ../region.h. */
#ifndef KOL_POINT_REGION_H
#define KOL_POINT_REGION_H

#include "../region.h"

HD double point_region_term(struct region_list list, int weighted, const real *a, int n)
{
    const double value = (double)a[list.cell[n]];
    return weighted ? (double)list.volume[n] * value : value;
}

HD double point_region_term_level(struct region_list list, const struct level_sum *phi, int n)
{
    const ptrdiff_t o = list.cell[n];
    const double one = phi->a * (double)phi->d[o];
    return (double)list.volume[n] * (phi->x != NULL ? one + phi->c * (double)phi->x[o] : one);
}

HD real point_region_shifted(struct region_list list, int weighted, double shift, const real *a, int n)
{
    return (real)((double)a[list.cell[n]] + (weighted ? shift * (double)list.volume[n] : shift));
}

#endif
