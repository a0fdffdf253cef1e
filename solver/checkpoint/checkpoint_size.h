/* How large checkpoints are, on disk and in the host memory of those who write and read them. */
#ifndef KOL_CHECKPOINT_CHECKPOINT_SIZE_H
#define KOL_CHECKPOINT_CHECKPOINT_SIZE_H

#include "inputs/input.h"
#include "parallel/decomp.h"

/* restart_arrays: of a checkpoint, at most. restart_bytes: size of them. */
int restart_arrays(const struct input *in);
double restart_bytes(const struct input *in);
/* restart_host_bytes: host memory that a rank takes beside the staging, for a while: to read back a
 * checkpoint, or at a restart to spread planes of open faces, or to interpolate, from a file with as many
 * cells; the most of these. */
double restart_host_bytes(const struct input *in, const struct decomp *d, struct box b);
/* restart_seconds_guess: what run.walltime keeps for a checkpoint until one has been timed [s]: 0.2 GB/s, but
 * at most a tenth of it. */
double restart_seconds_guess(const struct input *in);
/* regrid_bytes: host memory that a rank takes to interpolate a flow from a file with as many cells as this
 * run. */
double regrid_bytes(const struct decomp *d);

#endif
