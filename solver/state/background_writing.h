/* Decides whether files are written while the steps go on. */
#ifndef KOL_STATE_BACKGROUND_WRITING_H
#define KOL_STATE_BACKGROUND_WRITING_H

#include "inputs/input.h"

/* background_wanted: returns checkpoint.background. If it is not given, it is on in the CUDA build, where the
 * processor that writes files is not busy with the steps, and off in the CPU build. It is off with
 * averages in every cell, which are too large for copies. */
int background_wanted(const struct input *in);

#endif
