/* Computes inputs that follow from others. Private to inputs/. */
#ifndef KOL_RESOLVE_H
#define KOL_RESOLVE_H

#include "reading.h"

/* resolve_inputs: sets fluid.nu from fluid.reynolds or buoyancy.rayleigh. It sets initial.amplitude to 1 if
 * it is not given and does not follow from an inflow, and pressure.stage_reduction beside bodies. It adds a
 * fault to r if nu is not finite. After this call *in is constant. */
void resolve_inputs(struct reading *r, struct input *in);

#endif
