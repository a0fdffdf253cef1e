/* statistics.nc between walls: profiles, numbers, raw sums. */
#ifndef KOL_STATISTICS_WALL_PAGE_H
#define KOL_STATISTICS_WALL_PAGE_H

#include "netcdf_page.h"
#include "wall_profiles.h"

/* wall_page: the page of an average of samples (profiles_sample); the caller destroys it. It borrows w. */
kol_status wall_page(const struct wall_profiles *w, const struct batch_means *b, struct netcdf_page **out);
/* wall_page_friction: the friction velocity of all samples of an average [U]; NaN where there are none. */
kol_status wall_page_friction(const struct wall_profiles *w, const struct batch_means *b, double *u_tau);

#endif
