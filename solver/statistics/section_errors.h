/* Standard errors of the fields over a cross-section (section_fields.h). */
#ifndef KOL_STATISTICS_SECTION_ERRORS_H
#define KOL_STATISTICS_SECTION_ERRORS_H

#include "batch_means.h"
#include "section_fields.h"

/* section_errors: computes the standard errors of the fields of section_fields_derive() for the average b.
 * The bits are the same as those of batch_means_errors().
 *
 *   error   errors of the fields
 *   plus    errors of the fields in wall units. Each mean is divided by the wall unit of its own u_tau, so
 *           the error of u_tau is included. Fields without a unit get NaN. If plus is NULL, it is not
 *           computed.
 *
 * Both arrays have the layout of the FIELDS fields. They are NaN if the average has fewer than
 * BATCH_MEANS_LEAST complete batches. */
kol_status section_errors(const struct section_fields *s, const struct batch_means *b, double *error,
                          double *plus);
/* section_errors_count: counts the memory that section_errors() takes while it works, for an average of at
 * most `most` batches. */
kol_status section_errors_count(struct memory *memory, const struct section_fields *s, int most);

#endif
