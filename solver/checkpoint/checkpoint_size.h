/* Sizes of checkpoints: on disk, and in the host memory of the ranks that write and read them. */
#ifndef KOL_CHECKPOINT_CHECKPOINT_SIZE_H
#define KOL_CHECKPOINT_CHECKPOINT_SIZE_H

#include "inputs/input.h"
#include "parallel/decomp.h"

/* restart_arrays: returns the largest number of field arrays that a checkpoint of this run can have. */
int restart_arrays(const struct input *in);
/* restart_bytes: returns the total size of the arrays of restart_arrays() [bytes]. */
double restart_bytes(const struct input *in);
/* restart_cell_bytes: returns the size of the values of a cell in the largest of them [bytes]. */
int restart_cell_bytes(const struct input *in);
/* restart_seconds_guess: returns the part of run.walltime that is reserved for a checkpoint until one has
 * been timed [s]. It assumes 0.2 GB/s, and is at most a tenth of run.walltime. */
double restart_seconds_guess(const struct input *in);

#endif
