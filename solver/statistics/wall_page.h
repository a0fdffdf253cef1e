/* statistics.nc of a flow between walls: profiles, numbers, and the sums that they are computed from. */
#ifndef KOL_STATISTICS_WALL_PAGE_H
#define KOL_STATISTICS_WALL_PAGE_H

#include "netcdf_page.h"
#include "wall_profiles.h"

/* wall_page: makes the content of statistics.nc from an average of samples (profiles_sample()). The caller
 * destroys it. w is borrowed. */
kol_status wall_page(const struct wall_profiles *w, const struct batch_means *b, struct netcdf_page **out);
/* wall_page_friction: computes the friction velocity from the mean of all samples [U]. If there are no
 * samples, it is NaN. */
kol_status wall_page_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau);

#endif
