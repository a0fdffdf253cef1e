/* The stored flows that statistics are made of: found in a folder or named, in order of time. */
#ifndef KOL_POSTPROC_SOURCES_H
#define KOL_POSTPROC_SOURCES_H

#include "solver/checkpoint/stored_flow.h"

struct sources {
    struct stored_flow *file;
    int count;
};

/* sources_name: the files as named. sources_find: checkpoints of the folder, and files of fields of steps
 * that have no checkpoint; those with the velocity at cell centres and the flow before the first step are
 * passed over, which the log tells. KOL_ERR_INPUT where none is left. Both sort by time; KOL_ERR_INPUT where
 * two have the same step. Collective. sources_destroy takes a zeroed struct. */
kol_status sources_name(const struct comm *c, const char *const *path, int paths, struct sources *s);
kol_status sources_find(const struct comm *c, const char *folder, struct sources *s);
void sources_destroy(struct sources *s);
/* sources_choose: those of times from .. to, and of these the first and every `every`th behind it.
 * KOL_ERR_INPUT where none is left. */
kol_status sources_choose(struct sources *s, double from, double to, int every);

#endif
