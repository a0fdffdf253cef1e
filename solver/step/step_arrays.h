/* How many arrays of the pool a step takes. */
#ifndef KOL_STEP_STEP_ARRAYS_H
#define KOL_STEP_STEP_ARRAYS_H

#include "inputs/input.h"

/* step_arrays: the largest number of arrays that are in use at once within a step of a run with these inputs.
 * The arrays of the flow itself are included. */
int step_arrays(const struct input *in);

#endif
