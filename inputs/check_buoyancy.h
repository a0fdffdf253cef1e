/* The rules on &buoyancy. Private to inputs/. */
#ifndef KOL_CHECK_BUOYANCY_H
#define KOL_CHECK_BUOYANCY_H

#include "reading.h"

/* check_buoyancy: checks these rules and adds the faults to r. buoyancy_unused: does the same as input_unused
 * of check.h, for the variables of &buoyancy. */
void check_buoyancy(struct reading *r, const struct input *in);
size_t buoyancy_unused(const struct input *in, size_t offset, const char **remedy);

#endif
