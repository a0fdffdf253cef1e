/* The rate A of the force A (u - mean) in a periodic box, as its control asks for it.
 * docs/numerics/forcing.md, "Linear forcing". */
#ifndef KOL_FORCING_BOX_CONTROL_H
#define KOL_FORCING_BOX_CONTROL_H

#include "inputs/input.h"
#include "kernels/base/status.h"

/* box_control_rate: returns A [1/T] for a flow with this turbulent kinetic energy k > 0 [U^2] and this
 * dissipation [U^2/T]. Its power is 2 A k. */
double box_control_rate(const struct input *in, double k, double dissipation);

/* box_control_gain: returns the gain of the control, the input's or the one that is chosen. */
double box_control_gain(const struct input *in);

#endif
