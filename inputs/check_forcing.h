/* Rules on the forcing of turbulence in a periodic box, and on its history. Private to inputs/. */
#ifndef KOL_CHECK_FORCING_H
#define KOL_CHECK_FORCING_H

#include "reading.h"

/* check_forcing: adds the faults that concern the forcing of a box, and &history.
 * forcing_unused: if the variable at `offset` belongs to the forcing of a box and has no effect, returns the
 * offset of the variable that makes it idle, and the remedy; 0 otherwise. */
void check_forcing(struct reading *r, const struct input *in);
size_t forcing_unused(const struct input *in, size_t offset, const char **remedy);

/* check_target: adds the faults of a target in the place of the viscosity. It returns 1 if a target is given,
 * so that no viscosity is required. */
int check_target(struct reading *r, const struct input *in);

#endif
