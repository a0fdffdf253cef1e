/* How many arrays of the pool a step takes. */
#ifndef KOL_STEP_STEP_ARRAYS_H
#define KOL_STEP_STEP_ARRAYS_H

#include "inputs/input.h"

/* step_arrays: the most that are held at once within a step of such a run, the flow itself included. */
int step_arrays(const struct input *in);

#endif
