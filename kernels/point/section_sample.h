/* Arithmetic of section_sample.h that both backends share. Code on the host that averages uses it, too. */
#ifndef KOL_POINT_SECTION_SAMPLE_H
#define KOL_POINT_SECTION_SAMPLE_H

#include <math.h>
#include "../section_sample.h"

/* point_section_row: returns the number that section_sample_rows computes for one row of `places` values,
 * which begin at `row`. If x - x is not 0 for some value x, this value is not finite, and the result is NaN.
 */
HD double point_section_row(const double *KOL_RESTRICT row, const double *KOL_RESTRICT weight, int places,
                            int wanted, int inner)
{
    double all = 0;
    int bad = 0;
    for (int i = 0; i < places; ++i) bad |= row[i] - row[i] != 0;
    if (bad) return NAN;
    for (int i = inner; i < places - inner && wanted; ++i) all += weight[i] * row[i];
    return all;
}

/* point_section_add: adds x to a sum with Neumaier's compensation. However many values are added, the error
 * of the sum is that of one addition. */
HD void point_section_add(double *sum, double *carry, double x)
{
    const double old = *sum, all = old + x;
    const int keeps = fabs(old) >= fabs(x);
    const double large = keeps ? old : x, small = keeps ? x : old;
    *carry += (large - all) + small;
    *sum = all;
}

#endif
