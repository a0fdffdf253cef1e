/* The content of phases.nc: profiles between walls and numbers by the phase of an oscillating drive. */
#ifndef KOL_STATISTICS_PHASE_PAGE_H
#define KOL_STATISTICS_PHASE_PAGE_H

#include "netcdf_page.h"
#include "phase_profiles.h"

/* phase_page: the content of phases.nc for the average b; the caller destroys it. p is borrowed. */
kol_status phase_page(const struct phase_profiles *p, const struct batch_means *b, struct netcdf_page **out);
/* phase_page_numbers: how many numbers the page holds, for phases phases and levels levels. */
double phase_page_numbers(int phases, int levels);

#endif
