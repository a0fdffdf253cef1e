/* Where a file comes from: the texts that every output file carries. */
#ifndef KOL_OUTPUT_PROVENANCE_H
#define KOL_OUTPUT_PROVENANCE_H

#include <stdio.h>
#include "io/view.h"
#include "state/domain.h"

enum { PROVENANCE_TEXTS = 12 };
struct provenance;
/* provenance_create: gathers version, resolved input, command line, processor, libraries, ranks, start time.
 */
kol_status provenance_create(const struct domain *domain, int argc, char **argv, struct provenance **out);
void provenance_destroy(struct provenance **p);
/* provenance_texts: the list for io/; borrowed. */
const struct io_text *provenance_texts(const struct provenance *p, int *n);
/* provenance_version: the code's version, also for --version; provenance_print: all libraries. */
const char *provenance_version(void);
void provenance_print(FILE *out);

#endif
