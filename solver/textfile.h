/* Small text files that the inputs name. */
#ifndef KOL_TEXTFILE_H
#define KOL_TEXTFILE_H

#include "comm.h"

/* textfile_share: the bytes of a file, read by rank 0 and sent to all, malloced, with a zero after them. KOL_ERR_INPUT, on all ranks, where
 * it can't be read. */
kol_status textfile_share(const struct comm *c, const char *name, char **text);

#endif
