/* Whether the mean of a scalar stays, if nothing but its sources and fluxes through faces determines it. */
#ifndef KOL_SCALAR_BALANCE_H
#define KOL_SCALAR_BALANCE_H

#include "input.h"

/* Of scalar n:
 *
 *   scalar_mean_source    finds the volume mean of its sources [own/T] and returns 1; returns 0 if the input
 *                         does not tell it, because a mean gradient makes a source of a velocity that is not
 *                         given
 *   scalar_balance_doubt  says why fluxes and sources can't be compared, although nothing else determines the
 *                         mean; NULL if they can, and if there is nothing to compare
 *   scalar_mean_growth    the rate at which the mean changes if there are sources and nothing takes them away
 *                         [own/T]; otherwise 0 */
int scalar_mean_source(const struct input *in, int n, double *mean);
const char *scalar_balance_doubt(const struct input *in, int n);
double scalar_mean_growth(const struct input *in, int n);

#endif
