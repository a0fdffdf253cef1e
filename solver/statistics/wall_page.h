/* statistics.nc of a flow between walls: profiles, numbers, and the sums that they are computed from. */
#ifndef KOL_STATISTICS_WALL_PAGE_H
#define KOL_STATISTICS_WALL_PAGE_H

#include "netcdf_page.h"
#include "wall_profiles.h"

/* wall_page: the content of statistics.nc for an average of samples (profiles_sample()); the caller destroys
 * it. w is borrowed. */
kol_status wall_page(const struct wall_profiles *w, const struct batch_means *b, struct netcdf_page **out);
/* wall_page_friction: the friction velocity from the mean of all samples [U]; NaN if there are no samples. */
kol_status wall_page_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau);

#endif
