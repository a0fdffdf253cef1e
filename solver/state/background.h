/* Whether files are written while the steps go on. */
#ifndef KOL_STATE_BACKGROUND_H
#define KOL_STATE_BACKGROUND_H

#include "inputs/input.h"

/* background_wanted: checkpoint.background, which is on by default where the processor that writes files is
 * not busy with the steps: in the CUDA build. */
int background_wanted(const struct input *in);

#endif
