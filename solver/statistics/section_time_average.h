/* The average over time of the samples of a section, on rank 0, in kernel memory: in a CUDA build the host
 * holds a copy that is brought up to date for files and checkpoints alone. */
#ifndef KOL_STATISTICS_SECTION_TIME_AVERAGE_H
#define KOL_STATISTICS_SECTION_TIME_AVERAGE_H

#include "batch_means.h"
#include "section_fields.h"

struct section_time_average;
/* section_time_average_create: of the average b of `most` batches, as it stands, and its latest sample, both
 * NULL where memory is only counted; s is borrowed. section_time_average_destroy takes NULL. */
kol_status section_time_average_create(struct memory *memory, const struct section_fields *s, int most,
                                       struct batch_means *b, const double *latest,
                                       struct section_time_average **out);
void section_time_average_destroy(struct section_time_average **a);
/* section_time_average_apart: whether kernel memory is not the host's: what the host holds changes by fetch
 * and put alone. */
int section_time_average_apart(void);

/* section_time_average_sample: where section_sums_sample puts a sample; kernel memory; NULL: a is NULL.
 * section_time_average_numbers: lines and NUMBERS of it, as section_fields_numbers has them; *sound: whether
 * all its values are finite. section_time_average_latest: a copy in host memory. */
double *section_time_average_sample(struct section_time_average *a);
kol_status section_time_average_numbers(struct section_time_average *a, double *out, int *sound);
kol_status section_time_average_latest(struct section_time_average *a, double *latest);

/* section_time_average_add: the sample, at time t: of b the numbers alone are up to date then.
 * section_time_average_fetch: its vectors, and the latest sample, are, too. section_time_average_put: the
 * average goes on from those that b and latest hold. */
kol_status section_time_average_add(struct section_time_average *a, struct batch_means *b, double t);
kol_status section_time_average_fetch(struct section_time_average *a, struct batch_means *b, double *latest);
kol_status section_time_average_put(struct section_time_average *a, struct batch_means *b,
                                    const double *latest);

#endif
