/* Text files read by rank 0 and sent to all ranks: the input itself and the small files that it names. */
#ifndef KOL_PARALLEL_SHARE_FILE_H
#define KOL_PARALLEL_SHARE_FILE_H

#include "inputs/namelist.h"
#include "comm.h"

/* share_file_text: the bytes of a file, read by rank 0 and sent to all, malloced, with a zero after them. by:
 * the input that names it. KOL_ERR_INPUT, on all ranks, where it can't be read. */
kol_status share_file_text(const struct comm *c, const char *name, const struct input_place *by, char **text);

/* share_file_case: rank 0 reads the input file and sends its bytes, so that every rank finds the same faults
 * in them; malloced. KOL_ERR_INPUT, on all ranks, where it cannot be read. Collective. */
kol_status share_file_case(const struct comm *c, const char *path, char **text, size_t *bytes);

#endif
