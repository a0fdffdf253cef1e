/* The bytes of an input file on all ranks. */
#ifndef KOL_CASE_LOAD_H
#define KOL_CASE_LOAD_H

#include <stddef.h>
#include "comm.h"

/* case_load: rank 0 reads the file and sends its bytes, so that every rank finds the same faults in them; malloced. KOL_ERR_INPUT, on all ranks, where it
 * can't be read. Collective. */
kol_status case_load(const struct comm *c, const char *path, char **text, size_t *bytes);

#endif
