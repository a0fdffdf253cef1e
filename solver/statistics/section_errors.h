/* Standard errors of the fields of section_field_entries.h. */
#ifndef KOL_STATISTICS_SECTION_ERRORS_H
#define KOL_STATISTICS_SECTION_ERRORS_H

#include "batch_means.h"
#include "section_fields.h"

/* section_errors: of section_fields_derive of the averages b, as batch_means_errors has them, to the bit;
 * plus: the same of fields in units of the u_tau of the same mean, which has its part in them, but of fields
 * without a unit; NULL: none. Both: FIELDS fields, as section_fields_derive; NaN with fewer than
 * BATCH_MEANS_LEAST batches. */
kol_status section_errors(const struct section_fields *s, const struct batch_means *b, double *error,
                          double *plus);
/* section_errors_bytes: host memory that it takes meanwhile, for at most `most` batches. */
double section_errors_bytes(const int n_g[3], int along, int most);

#endif
