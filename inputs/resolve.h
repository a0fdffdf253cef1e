/* The inputs that follow from others. Private to inputs/. */
#ifndef KOL_RESOLVE_H
#define KOL_RESOLVE_H

#include "reading.h"

/* resolve_inputs: sets fluid.nu from fluid.reynolds, and initial.amplitude to 1 if it is not given and no
 * inflow gives it. Adds a fault to r if nu is not finite. From here on *in is constant. */
void resolve_inputs(struct reading *r, struct input *in);

#endif
