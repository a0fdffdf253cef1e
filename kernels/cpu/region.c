/* Sums over regions of fluid, and shifts of their values, by lists of cells. */
#include "../region.h"
#include "../point/region.h"

/* Adds up the lanes. */
static double folded(double lane[REGION_LANES])
{
    for (int half = REGION_LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

kol_status region_sums(struct region_list list, int weighted, const real *a, double *sum)
{
    for (int s = 0; s < list.segments; ++s) {
        double lane[REGION_LANES] = {0};
        for (int n = list.first[s]; n < list.first[s + 1]; ++n)
            lane[(n - list.first[s]) % REGION_LANES] += point_region_term(list, weighted, a, n);
        sum[s] = folded(lane);
    }
    return KOL_OK;
}

kol_status region_sums_level(struct region_list list, struct level_sum phi, double *sum)
{
    for (int s = 0; s < list.segments; ++s) {
        double lane[REGION_LANES] = {0};
        for (int n = list.first[s]; n < list.first[s + 1]; ++n)
            lane[(n - list.first[s]) % REGION_LANES] += point_region_term_level(list, &phi, n);
        sum[s] = folded(lane);
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
