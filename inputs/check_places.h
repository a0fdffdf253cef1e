/* The rules on &slices, &boxes and &probes. Private to inputs/. */
#ifndef KOL_CHECK_PLACES_H
#define KOL_CHECK_PLACES_H

#include "reading.h"

/* check_places: checks these rules and adds the faults to r. */
void check_places(struct reading *r, const struct input *in);

#endif
