/* Describes statistics.nc of a flow that is homogeneous in one direction. It has fields over the
 * cross-section, lines along its walls, numbers, and the sums that they are computed from. */
#ifndef KOL_STATISTICS_SECTION_NETCDF_H
#define KOL_STATISTICS_SECTION_NETCDF_H

#include "netcdf_content.h"
#include "section_fields.h"
#include "section_scalars.h"

/* section_netcdf: makes the content of statistics.nc from two averages of the same samples. `fields` is the
 * average of the sums; `lines` is the average of lines and numbers (section_fields_numbers()). If there are
 * scalars, of_scalars is the average of theirs; otherwise both are NULL. The caller destroys the content. s
 * is borrowed. */
kol_status section_netcdf(const struct section_fields *s, const struct batch_means *fields,
                          const struct batch_means *lines, const struct section_scalars *scalars,
                          const struct batch_means *of_scalars, struct netcdf_content **out);
/* section_netcdf_count: counts the memory that section_netcdf() and the file will take, for an average of
 * fields of at most `most` batches. */
kol_status section_netcdf_count(struct memory *memory, const struct section_fields *s,
                                const struct section_scalars *scalars, int most);

#endif
