/* Small text files that the inputs name. */
#ifndef KOL_TEXTFILE_H
#define KOL_TEXTFILE_H

#include "../inputs/namelist.h"
#include "comm.h"

/* textfile_share: the bytes of a file, read by rank 0 and sent to all, malloced, with a zero after them. by: the input that names it.
 * KOL_ERR_INPUT, on all ranks, where it can't be read. */
kol_status textfile_share(const struct comm *c, const char *name, const struct input_place *by, char **text);

#endif
