/* The content of phases.nc: profiles between walls and numbers by the phase of an oscillating drive. */
#ifndef KOL_STATISTICS_PHASE_NETCDF_H
#define KOL_STATISTICS_PHASE_NETCDF_H

#include "netcdf_content.h"
#include "phase_profiles.h"

/* phase_netcdf: makes the content of phases.nc from the average b. The caller destroys it. p is borrowed. */
kol_status phase_netcdf(const struct phase_profiles *p, const struct batch_means *b,
                        struct netcdf_content **out);
/* phase_netcdf_count: counts the memory that phase_netcdf() and the file will take, for an average of at most
 * `most` batches. */
kol_status phase_netcdf_count(struct memory *memory, const struct phase_profiles *p, int most);

#endif
