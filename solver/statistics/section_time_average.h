/* The average over time of the samples of a cross-section, kept in kernel memory of rank 0. In a CUDA build
 * the host has a copy, which is only brought up to date for files and checkpoints. */
#ifndef KOL_STATISTICS_SECTION_TIME_AVERAGE_H
#define KOL_STATISTICS_SECTION_TIME_AVERAGE_H

#include "batch_means.h"
#include "section_fields.h"

struct section_time_average;
/* section_time_average_create: makes an average over time that starts from the state of b, an average of at
 * most `most` batches. If memory is only counted, b is NULL. s is borrowed. */
kol_status section_time_average_create(struct memory *memory, const struct section_fields *s, int most,
                                       struct batch_means *b, struct section_time_average **out);
/* section_time_average_destroy: frees the object; NULL is allowed. */
void section_time_average_destroy(struct section_time_average **a);
/* section_time_average_apart: returns whether kernel memory is separate from host memory. If so,
 * section_time_average_fetch() copies the vectors to the host, and section_time_average_put() copies them to
 * kernel memory. No other function brings the copies in line. */
int section_time_average_apart(void);

/* section_time_average_sample: returns the array in kernel memory into which section_sums_sample() writes a
 * sample. If a is NULL, it returns NULL. */
double *section_time_average_sample(struct section_time_average *a);
/* section_time_average_numbers: computes the lines and NUMBERS of this sample, as section_fields_numbers()
 * does. *sound: whether all values of the sample are finite. */
kol_status section_time_average_numbers(struct section_time_average *a, double *out, int *sound);
/* section_time_average_latest: copies the sample to host memory. */
kol_status section_time_average_latest(struct section_time_average *a, double *latest);

/* section_time_average_add: adds the sample, which belongs to time t. Afterwards only the numbers of b are up
 * to date, not its vectors. */
kol_status section_time_average_add(struct section_time_average *a, struct batch_means *b, double t);
/* section_time_average_fetch: brings the vectors of b up to date in host memory. */
kol_status section_time_average_fetch(struct section_time_average *a, struct batch_means *b);
/* section_time_average_put: copies the vectors of b, which are in host memory, to kernel memory, so that the
 * average continues from them. */
kol_status section_time_average_put(struct section_time_average *a, struct batch_means *b);

#endif
