/* Stored flows as they are: checkpoints, and files of fields that have each component of the velocity on its
 * own faces. To look at them, not to go on from them: restart.h does that. */
#ifndef KOL_CHECKPOINT_STORED_FLOW_H
#define KOL_CHECKPOINT_STORED_FLOW_H

#include "io/run_directory.h"
#include "host_copy.h"
#include "state/flow.h"

/* snapshot: a file. fields: one of fields, else a checkpoint. centred: its velocity is interpolated to cell
 * centres. */
struct stored_flow {
    char path[RUN_DIRECTORY_TEXT];
    long long step;
    double t;
    int fields, centred;
};

/* stored_flow_look: what the file is; KOL_ERR_INPUT where it is of another kind, KOL_ERR_IO where it can't be
 * read. stored_flow_input: the input of its run, all resolved, as a namelist; malloced. Both collective. */
kol_status stored_flow_look(const struct comm *c, const char *path, struct stored_flow *out);
kol_status stored_flow_input(const struct comm *c, const char *path, char **text);
/* stored_flow_read: clock, force, velocity and pressure of a run that run_create_still made, with their
 * halos, and flow->now: the same bits as in the run that wrote a checkpoint, or fields in its precision.
 * KOL_ERR_INPUT with every difference in grid and physics; where the velocity is at cell centres, or the flow
 * is one before the first step, which has no pressure, or the force is not in the file. KOL_ERR_IO where an
 * array differs from its hash. Collective. */
kol_status stored_flow_read(struct flow *flow, struct host_copy *s, const struct stored_flow *from);

#endif
