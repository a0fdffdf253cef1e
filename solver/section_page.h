/* statistics.nc of a flow that is homogeneous in one direction: fields over the section, lines along its walls, numbers, raw sums. */
#ifndef KOL_SECTION_PAGE_H
#define KOL_SECTION_PAGE_H

#include "page.h"
#include "sections.h"

/* section_page: the page of averages of the fields and of lines and numbers (sections_numbers), of the same samples; the caller destroys it. It
 * borrows s. */
kol_status section_page(const struct sections *s, const struct batches *fields, const struct batches *lines,
                        struct page **out);

#endif
