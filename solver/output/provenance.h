/* Provenance: the texts that tell, in every output file, how it was made. */
#ifndef KOL_OUTPUT_PROVENANCE_H
#define KOL_OUTPUT_PROVENANCE_H

#include <stdio.h>
#include "io/view.h"
#include "state/domain.h"

enum { PROVENANCE_TEXTS = 12 };
struct provenance;
/* provenance_create: gathers version, compiler, resolved input, command line, processor, libraries, ranks and
 * start time. */
kol_status provenance_create(const struct domain *domain, int argc, char **argv, struct provenance **out);
/* provenance_destroy: takes NULL. */
void provenance_destroy(struct provenance **p);
/* provenance_texts: returns the list of texts for io/, *n of them. It is borrowed. */
const struct io_text *provenance_texts(const struct provenance *p, int *n);
/* provenance_version: returns the version of the code. */
const char *provenance_version(void);
/* provenance_print: prints version, backend, compiler and libraries, for --version. */
void provenance_print(FILE *out);

#endif
