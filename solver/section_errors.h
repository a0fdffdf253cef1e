/* Standard errors of the fields of sections.h. */
#ifndef KOL_SECTION_ERRORS_H
#define KOL_SECTION_ERRORS_H

#include "batches.h"
#include "sections.h"

/* section_errors: of sections_derive of the averages b, as batches_errors has them, to the bit; plus: the same of fields in units of the u_tau of the same mean,
 * which has its part in them, but of fields without a unit; NULL: none. Both: FIELDS fields, as sections_derive; NaN with fewer than BATCHES_LEAST
 * batches. */
kol_status section_errors(const struct sections *s, const struct batches *b, double *error, double *plus);
/* section_errors_bytes: host memory that it takes meanwhile, for at most `most` batches. */
double section_errors_bytes(const int n_g[3], int along, int most);

#endif
