/* Sums over regions of fluid, and shifts of their values, by lists of cells. */
#include "../region.h"
#include "../point/region.h"

kol_status region_sums(struct region_list list, int weighted, const real *a, double *sum)
{
    for (int s = 0; s < list.segments; ++s) {
        double lane[REGION_LANES] = {0};
        for (int n = list.first[s]; n < list.first[s + 1]; ++n)
            lane[(n - list.first[s]) % REGION_LANES] += point_region_term(list, weighted, a, n);
        for (int half = REGION_LANES / 2; half > 0; half /= 2)
            for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
        sum[s] = lane[0];
    }
    return KOL_OK;
}

kol_status region_shift(struct region_list list, int weighted, const double *shift, real *a)
{
    for (int s = 0; s < list.segments; ++s)
        for (int n = list.first[s]; n < list.first[s + 1]; ++n)
            a[list.cell[n]] = point_region_shifted(list, weighted, shift[list.region[s]], a, n);
    return KOL_OK;
}
