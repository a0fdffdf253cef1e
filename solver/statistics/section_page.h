/* statistics.nc of a flow that is homogeneous in one direction: fields over the section, lines along its
 * walls, numbers, raw sums. */
#ifndef KOL_STATISTICS_SECTION_PAGE_H
#define KOL_STATISTICS_SECTION_PAGE_H

#include "netcdf_page.h"
#include "section_fields.h"

/* section_page: the page of averages of the fields and of lines and numbers (section_fields_numbers), of the
 * same samples; the caller destroys it. It borrows s. */
kol_status section_page(const struct section_fields *s, const struct batch_means *fields,
                        const struct batch_means *lines, struct netcdf_page **out);

#endif
