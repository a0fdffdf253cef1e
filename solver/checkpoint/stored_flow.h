/* Reads stored flows without changing them: checkpoints, and field files that have each velocity component on
 * its own faces. Statistics are computed from such flows; to continue a run, use restart.h. */
#ifndef KOL_CHECKPOINT_STORED_FLOW_H
#define KOL_CHECKPOINT_STORED_FLOW_H

#include "io/run_directory.h"
#include "host_copy.h"
#include "state/flow.h"

/* stored_flow: a file with a flow.
 *
 *   fields    whether it is a field file; otherwise it is a checkpoint
 *   centred   whether its velocity is interpolated to cell centres */
struct stored_flow {
    char path[RUN_DIRECTORY_TEXT];
    long long step;
    double t;
    int fields, centred;
};

/* stored_flow_look: finds out what a file contains. KOL_ERR_INPUT if it is of another kind, KOL_ERR_IO if it
 * cannot be read. Collective. */
kol_status stored_flow_look(const struct comm *c, const char *path, struct stored_flow *out);
/* stored_flow_input: the resolved input of the run that wrote the file, as a namelist. The caller frees
 * *text. Collective. */
kol_status stored_flow_input(const struct comm *c, const char *path, char **text);
/* stored_flow_read: reads clock, force, velocity and pressure, moves bodies that travel to their places,
 * fills the halos, and computes flow->now.
 * `flow` must belong to a run made by run_create_still(). If the file is a checkpoint, or has fields in the
 * precision of the run that wrote it, the bits are those of that run. Collective.
 *
 *   KOL_ERR_INPUT   the grid, the physics or the bodies differ (the message tells how); the velocity is at
 *                   cell centres; the flow is that before the first step, which has no pressure; or the force
 *                   is not in the file
 *   KOL_ERR_IO      an array does not agree with its hash */
kol_status stored_flow_read(struct flow *flow, struct host_copy *s, const struct stored_flow *from);

#endif
