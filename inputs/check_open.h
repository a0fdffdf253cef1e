/* The rules on inflows and outflows. Private to inputs/. */
#ifndef KOL_CHECK_OPEN_H
#define KOL_CHECK_OPEN_H

#include "reading.h"

/* check_open: checks the rules named above and adds the faults to r. open_unused: does the same as
 * input_unused() of check.h, for the variables that only inflows or outflows use. */
void check_open(struct reading *r, const struct input *in);
size_t open_unused(const struct input *in, size_t offset, const char **remedy);

#endif
