/* The stored flows that statistics are computed from. They are named, or found in a folder, and are sorted by
 * time. */
#ifndef KOL_POSTPROC_SOURCES_H
#define KOL_POSTPROC_SOURCES_H

#include "solver/checkpoint/stored_flow.h"

struct sources {
    struct stored_flow *file;
    int count;
};

/* sources_name: makes the list of the files that are named. KOL_ERR_INPUT if two of them have the same
 * step, or if a later step does not have a later time. Collective. */
kol_status sources_name(const struct comm *c, const char *const *path, int paths, struct sources *s);
/* sources_find: makes the list of all checkpoints of a folder, and of the field files of steps that have no
 * checkpoint. Files with the velocity at cell centres are left out, and so is the flow before the first
 * step; the log reports which files these are. KOL_ERR_INPUT as for sources_name(), and if no file is left.
 * Collective. */
kol_status sources_find(const struct comm *c, const char *folder, struct sources *s);
/* sources_destroy: frees what is inside. Takes a zeroed struct. */
void sources_destroy(struct sources *s);
/* sources_choose: keeps only the files with times from `from` to `to`, and of these the first one and every
 * `every`-th one after it. *before: time of the last file earlier than `from`; -INFINITY: there is none.
 * KOL_ERR_INPUT if no file is left. */
kol_status sources_choose(struct sources *s, double from, double to, int every, double *before);

#endif
