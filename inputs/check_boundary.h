/* The rules on &boundary and &forcing, and on what walls, or their absence, rule out. Private to inputs/. */
#ifndef KOL_CHECK_BOUNDARY_H
#define KOL_CHECK_BOUNDARY_H

#include "reading.h"

/* check_boundary: adds the faults to r; calls check_open and check_statistics. */
void check_boundary(struct reading *r, const struct input *in);

/* resolve_amplitude: sets initial.amplitude to 1 if it is not given and no inflow gives it. */
void resolve_amplitude(const struct reading *r, struct input *in);

#endif
