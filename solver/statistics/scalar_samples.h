/* Samples of scalars for averages over time. */
#ifndef KOL_STATISTICS_SCALAR_SAMPLES_H
#define KOL_STATISTICS_SCALAR_SAMPLES_H

#include "state/flow.h"
#include "wall_planes.h"
#include "wall_profiles.h"

/* scalar_samples_walled: adds the sums of all scalars to a sample between walls that has its other sums
 * already. sample: NULL on all ranks but 0. The halos of the flow must be filled. The function uses arrays of
 * the pool; if arrays are only counted, it only counts these. Collective. */
kol_status scalar_samples_walled(struct wall_planes *planes, const struct wall_profiles *w,
                                 const struct flow *flow, double *sample);

#endif
