/* The average over time of the samples of a section, on rank 0, in kernel memory: in a CUDA build the host holds a copy that is brought up to
 * date for files and checkpoints alone. */
#ifndef KOL_SECTION_AVERAGE_H
#define KOL_SECTION_AVERAGE_H

#include "batches.h"
#include "sections.h"

struct section_average;
/* section_average_create: of the average b, as it stands, and its latest sample; s is borrowed. section_average_destroy takes NULL.
 * section_average_bytes: kernel memory that it will take. */
kol_status section_average_create(const struct sections *s, struct batches *b, const double *latest,
                                  struct section_average **out);
void section_average_destroy(struct section_average **a);
double section_average_bytes(const int n_g[3], int along, int most);
/* section_average_apart: whether kernel memory is not the host's: what the host holds changes by fetch and put alone. */
int section_average_apart(void);

/* section_average_sample: where spans_sample puts a sample; kernel memory; NULL: a is NULL. section_average_numbers: lines and NUMBERS of it,
 * as sections_numbers has them; *sound: whether all its values are finite. section_average_latest: a copy in host memory. */
double *section_average_sample(struct section_average *a);
kol_status section_average_numbers(struct section_average *a, double *out, int *sound);
kol_status section_average_latest(struct section_average *a, double *latest);

/* section_average_add: the sample, at time t: of b the numbers alone are up to date then. section_average_fetch: its vectors, and the latest sample,
 * are, too. section_average_put: the average goes on from those that b and latest hold. */
kol_status section_average_add(struct section_average *a, struct batches *b, double t);
kol_status section_average_fetch(struct section_average *a, struct batches *b, double *latest);
kol_status section_average_put(struct section_average *a, struct batches *b, const double *latest);

#endif
